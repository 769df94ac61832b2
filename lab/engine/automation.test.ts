import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type EngineEvent, LocalWorkspace } from "@pulumi/pulumi/automation";
import * as pulumi from "@pulumi/pulumi";
import { REPOSITORY } from "../../test/support/repository";

let scratch: string;
let env: Record<string, string>;
let path: string | undefined;

beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), "engine-automation-"));
    env = {
        PULUMI_BACKEND_URL: `file://${scratch}`,
        PULUMI_CONFIG_PASSPHRASE: "pw",
        PULUMI_HOME: join(scratch, "home"),
    };
    path = process.env["PATH"];
    process.env["PATH"] = [
        join(REPOSITORY, "lab", "bin"),
        join(REPOSITORY, "node_modules", "@pulumi", "pulumi"),
        path,
    ].join(delimiter);
});
afterAll(() => {
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
    expect((await stack.getConfig("a")).value).toBe("1");
    const preview = await stack.preview();
    expect(preview.changeSummary).toStrictEqual({ create: 2 });
    const events: EngineEvent[] = [];
    const up = await stack.up({ onEvent: (e) => events.push(e) });
    expect(up.summary.result).toBe("succeeded");
    expect(up.outputs["text"]?.value).toBe("hello");
    expect(up.outputs["secret"]?.value).toBe("hunter2hunter2");
    expect(up.outputs["secret"]?.secret).toBe(true);
    expect(events.some((e) => e.resourcePreEvent?.metadata.op === "create")).toBeTruthy();
    expect(events.some((e) => e.summaryEvent)).toBeTruthy();
    expect(JSON.stringify(events).includes("hunter2hunter2")).toBeFalsy();
    expect(JSON.stringify(up.stdout).includes("hunter2hunter2")).toBeFalsy();
    const again = await stack.preview({ expectNoChanges: true });
    expect(again.changeSummary).toStrictEqual({ same: 2 });
    expect((await stack.refresh()).summary.result).toBe("succeeded");
    const state = await stack.exportStack();
    await stack.importStack(state);
    const history = await stack.history();
    expect(history).toHaveLength(2);
    expect((await stack.destroy()).summary.result).toBe("succeeded");
    await stack.workspace.removeStack("dev");
    expect(await stack.workspace.listStacks()).toStrictEqual([]);
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
    symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
    const stack = await LocalWorkspace.createStack({ stackName: "dev", workDir: folder }, { envVars: env });
    const up = await stack.up();
    expect(up.outputs["greeting"]?.value).toBe("hi");
    const text = readFileSync(join(scratch, ".pulumi", "stacks", "local", "dev.json"), "utf8");
    expect(text.includes('"greeting":"hi"')).toBeTruthy();
    const other = await LocalWorkspace.selectStack({ stackName: "dev", workDir: folder }, { envVars: env });
    expect((await other.outputs())["greeting"]?.value).toBe("hi");
    await other.destroy();
    writeFileSync(join(folder, "index.js"), `throw new Error("no such luck");`);
    await expect(stack.up()).rejects.toThrow(/no such luck/);
    await expect(stack.preview()).rejects.toThrow(/no such luck/);
});
