import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { type EngineEvent, LocalWorkspace } from "@pulumi/pulumi/automation";
import * as pulumi from "@pulumi/pulumi";

const root = resolve(__dirname, "..", "..", "..");
let scratch: string;
let env: Record<string, string>;
let path: string | undefined;

before(() => {
    scratch = mkdtempSync(join(tmpdir(), "engine-automation-"));
    env = {
        PULUMI_BACKEND_URL: `file://${scratch}`,
        PULUMI_CONFIG_PASSPHRASE: "pw",
        PULUMI_HOME: join(scratch, "home"),
    };
    path = process.env["PATH"];
    process.env["PATH"] = [join(root, "lab", "bin"), join(root, "node_modules", "@pulumi", "pulumi"), path].join(
        delimiter,
    );
});
after(() => {
    process.env["PATH"] = path;
    rmSync(scratch, { recursive: true, force: true });
});

/** A dynamic resource that only lives in the record. */
class Note extends pulumi.dynamic.Resource {
    declare readonly text: pulumi.Output<string>;
    constructor(name: string, text: pulumi.Input<string>) {
        super({ create: async (inputs: { text: string }) => ({ id: `id-${inputs.text}`, outs: inputs }) }, name, {
            text,
        });
    }
}

test("an inline program can be previewed, run, refreshed and destroyed, with events and secrets", async () => {
    const program = async () => {
        const secret = new pulumi.Config().requireSecret("password");
        const note = new Note("note", "hello");
        return { text: note.text, secret };
    };
    const stack = await LocalWorkspace.createOrSelectStack(
        { stackName: "dev", projectName: "inline", program },
        { envVars: env },
    );
    await stack.setConfig("password", { value: "hunter2hunter2", secret: true });
    await stack.setAllConfig({ "inline:a": { value: "1" }, "inline:b": { value: "2" } });
    assert.equal((await stack.getConfig("a")).value, "1");
    const preview = await stack.preview();
    assert.deepEqual(preview.changeSummary, { create: 2 });
    const events: EngineEvent[] = [];
    const up = await stack.up({ onEvent: (e) => events.push(e) });
    assert.equal(up.summary.result, "succeeded");
    assert.equal(up.outputs["text"]?.value, "hello");
    assert.equal(up.outputs["secret"]?.value, "hunter2hunter2");
    assert.equal(up.outputs["secret"]?.secret, true);
    assert.ok(events.some((e) => e.resourcePreEvent?.metadata.op === "create"));
    assert.ok(events.some((e) => e.summaryEvent));
    assert.ok(!JSON.stringify(events).includes("hunter2hunter2"));
    assert.ok(!JSON.stringify(up.stdout).includes("hunter2hunter2"));
    const again = await stack.preview({ expectNoChanges: true });
    assert.deepEqual(again.changeSummary, { same: 2 });
    assert.equal((await stack.refresh()).summary.result, "succeeded");
    const state = await stack.exportStack();
    await stack.importStack(state);
    const history = await stack.history();
    assert.equal(history.length, 2);
    assert.equal((await stack.destroy()).summary.result, "succeeded");
    await stack.workspace.removeStack("dev");
    assert.deepEqual(await stack.workspace.listStacks(), []);
});

test("a program in a folder runs, and its state can be read by another workspace", async () => {
    const folder = mkdtempSync(join(scratch, "local-"));
    writeFileSync(
        join(folder, "Pulumi.yaml"),
        "name: local\nruntime: {name: nodejs, options: {typescript: false}}\nconfig:\n  greeting: {type: string, default: hi}\n",
    );
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "local", main: "index.js" }));
    writeFileSync(
        join(folder, "index.js"),
        `const pulumi = require("@pulumi/pulumi"); exports.greeting = new pulumi.Config().require("greeting");`,
    );
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const stack = await LocalWorkspace.createStack({ stackName: "dev", workDir: folder }, { envVars: env });
    const up = await stack.up();
    assert.equal(up.outputs["greeting"]?.value, "hi");
    const text = readFileSync(join(scratch, ".pulumi", "stacks", "local", "dev.json"), "utf8");
    assert.ok(text.includes('"greeting":"hi"'));
    const other = await LocalWorkspace.selectStack({ stackName: "dev", workDir: folder }, { envVars: env });
    assert.equal((await other.outputs())["greeting"]?.value, "hi");
    await other.destroy();
    writeFileSync(join(folder, "index.js"), `throw new Error("no such luck");`);
    await assert.rejects(stack.up(), /no such luck/);
    await assert.rejects(stack.preview(), /no such luck/);
});
