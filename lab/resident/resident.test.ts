import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "../../test/support/finished";
import { REPOSITORY } from "../../test/support/repository";
import { ScratchProject } from "../../test/support/scratch-project";
import { Resident } from ".";

let project: ScratchProject;
let dir: string;
let env: NodeJS.ProcessEnv;
let resident: Resident;

beforeAll(async () => {
    project = await ScratchProject.make("resident");
    ({ folder: dir, env } = project);
    resident = new Resident(env);
});

afterAll(async () => {
    await resident.stop();
    project.remove();
});

async function pulumi(...args: string[]): Promise<{ code: number; text: string }> {
    return run(resident, args);
}

async function run(cli: Resident, args: readonly string[]): Promise<{ code: number; text: string }> {
    let text = "";
    const code = await cli.run({ args, cwd: dir }, (chunk) => (text += chunk));
    return { code, text };
}

const up = (program: string, cli = resident): Promise<{ code: number; text: string }> => {
    fs.writeFileSync(path.join(dir, "index.js"), `const pulumi = require("@pulumi/pulumi");\n${program}\n`);
    return run(cli, ["up", "--yes", "--skip-preview", "--stack", "dev", "--non-interactive", "--color", "never"]);
};

/** A dynamic resource whose provider says which process it is. */
const resource = (text: string): string => `
class Note extends pulumi.dynamic.Resource {
    constructor(name, text) {
        super({
            create: async (inputs) => ({ id: "note", outs: { ...inputs, pid: String(process.pid) } }),
            update: async (_id, _olds, news) => ({ outs: { ...news, pid: String(process.pid) } }),
        }, name, { text, pid: undefined });
    }
}
const note = new Note("note", ${JSON.stringify(text)});
module.exports = { text: note.text, pid: note.pid, program: process.pid };`;

const outputOf = (text: string, name: string): string => new RegExp(`${name} *: (?:.* => )?"?(\\w+)"?`).exec(text)![1]!;

test("a changed program runs in the same process, with the same plugins", async () => {
    const first = await up(resource("one"));
    expect(first).toMatchObject({ code: 0 });
    const second = await up(resource("two"));
    expect(second).toMatchObject({ code: 0 });
    expect(outputOf(second.text, "text")).toBe("two");
    for (const name of ["pid", "program"]) expect(outputOf(second.text, name)).toBe(outputOf(first.text, name));
});

test("a TypeScript program is compiled without type checks when it is read", async () => {
    const cwd = path.join(dir, "typed");
    fs.mkdirSync(cwd);
    fs.writeFileSync(path.join(cwd, "Pulumi.yaml"), "name: typed\nruntime: nodejs\n");
    const runTyped = async (program: string): Promise<string> => {
        fs.writeFileSync(path.join(cwd, "index.ts"), program);
        let text = "";
        const args = ["up", "--yes", "--skip-preview", "--stack", "dev", "--non-interactive", "--color", "never"];
        const code = await resident.run({ args, cwd }, (chunk) => (text += chunk));
        expect({ code, text }).toMatchObject({ code: 0 });
        return text;
    };
    await resident.run({ args: ["stack", "init", "dev"], cwd }, () => undefined);
    const program = `import * as pulumi from "@pulumi/pulumi";
enum Size { Small = 7 }
export const size: string = Size.Small;
export const name: string = pulumi.getStack();
export const pid = process.pid;`;
    const first = await runTyped(program);
    expect([outputOf(first, "size"), outputOf(first, "name")]).toStrictEqual(["7", "dev"]);
    const second = await runTyped(program.replace("Small = 7", "Small = 8"));
    expect(outputOf(second, "size")).toBe("8");
    expect(second).not.toMatch(/pid *:.*=>/);
});

test("program and plugins have the variables of their command, also in calls to the system", async () => {
    const program = `
        class Home extends pulumi.dynamic.Resource {
            constructor() {
                const create = async () => ({ id: "home", outs: { plugin: require("os").homedir() } });
                super({ create }, "home", { plugin: undefined });
            }
        }
        module.exports = { program: require("os").homedir(), plugin: new Home().plugin, own: process.env.OWN };`;
    fs.writeFileSync(path.join(dir, "index.js"), `const pulumi = require("@pulumi/pulumi");\n${program}\n`);
    let text = "";
    const args = ["up", "--yes", "--skip-preview", "--stack", "dev", "--non-interactive", "--color", "never"];
    const command = { args, cwd: dir, env: { HOME: "/elsewhere", OWN: "mine" } };
    expect(await resident.run(command, (chunk) => (text += chunk))).toBe(0);
    expect(text).toMatch(/own *: "mine"/);
    for (const name of ["plugin", "program"]) expect(text).toMatch(new RegExp(`${name} *: (?:.* => )?"/elsewhere"`));
    const next = await up("module.exports = { home: require('os').homedir(), own: String(process.env.OWN) };");
    expect(outputOf(next.text, "own")).toBe("undefined");
    expect(next.text).not.toMatch(/home *: "\/elsewhere"/);
});

test("a failing program fails its run with its message, and not the next run", async () => {
    const failed = await up(`throw new Error("not today");`);
    expect(failed.code).not.toBe(0);
    expect(failed.text).toMatch(/not today/);
    expect(await up(resource("three"))).toMatchObject({ code: 0 });
});

/** The address of a server that answers `five`, later. */
async function slowServer(ms: number): Promise<string> {
    const server = http.createServer((_, response) => void setTimeout(ms).then(() => response.end("five")));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a run waits for requests that create a resource later", async () => {
    const { text } = await up(
        `${resource("four")}
        require("http").get("${await slowServer(200)}", (response) =>
            response.on("data", (text) => new Note(String(text), "")).resume());`,
    );
    expect(text).toMatch(/\+ {2}pulumi-nodejs:dynamic:Resource five/);
});

test("a program that continues after its end is reported in the next run", async () => {
    const other = new Resident(env);
    onTestFinished(() => other.stop());
    const file = path.join(dir, "over");
    const program = `
        const timer = setInterval(() => {
            if (!require("fs").existsSync(${JSON.stringify(file)})) return;
            clearInterval(timer);
            Promise.reject(new Error("too late"));
        }, 20);`;
    expect(await up(program, other)).toMatchObject({ code: 0 });
    fs.writeFileSync(file, "");
    await setTimeout(500);
    const next = await up("", other);
    expect(next.code).toBe(1);
    expect(next.text).toMatch(/went on after its end.*Remedy: export the promise.*too late/s);
});

test("a failed program that continues does not affect the next run", async () => {
    const failing = `
        const outputs = new Promise((resolve) => setTimeout(resolve, 500));
        class Group extends pulumi.ComponentResource {
            constructor() { super("test:index:Group", "group"); this.registerOutputs({ outputs }); }
        }
        new Group();
        setTimeout(() => Promise.reject(new Error("left behind")), 500);
        throw new Error("refused");`;
    expect(await up(failing)).toMatchObject({ code: 1 });
    const slow = `require("http").get("${await slowServer(1500)}", (response) => response.resume());`;
    const next = await up(slow);
    expect(next.text).not.toMatch(/left behind/);
    expect(next).toMatchObject({ code: 0 });
    expect(await up("")).toMatchObject({ code: 0 });
});

test("a missing folder or invalid project fails only its command", async () => {
    const broken = path.join(dir, "broken");
    fs.mkdirSync(broken);
    fs.writeFileSync(path.join(broken, "Pulumi.yaml"), "runtime: nodejs\n");
    for (const [cwd, message] of [
        [path.join(dir, "nowhere"), /error: .*ENOENT.*nowhere/],
        [broken, /error: could not validate .*project is missing a 'name'/],
    ] as const) {
        let text = "";
        expect(await resident.run({ args: ["preview"], cwd }, (chunk) => (text += chunk))).toBe(1);
        expect(text).toMatch(message);
    }
});

test("without its plugins it ends, and its commands fail", async () => {
    const other = new Resident({ ...env, PATH: dir });
    await expect(run(other, ["version"])).rejects.toThrow(/has ended/);
});

test("configuration and outputs belong to the stack", async () => {
    expect(await pulumi("config", "set", "greeting", "hello")).toMatchObject({ code: 0 });
    const { text } = await up(`module.exports = { greeting: new pulumi.Config().require("greeting") };`);
    expect(outputOf(text, "greeting")).toBe("hello");
    expect((await pulumi("stack", "output", "greeting")).text.trim()).toBe("hello");
});

test("a program fails if its engine does not respond any more", async () => {
    // The process takes no notice of promises that the SDK leaves rejected, as the resident process does not.
    const script = `
        const { status } = require("@grpc/grpc-js");
        const { EngineService } = require("@pulumi/pulumi/proto/engine_grpc_pb");
        const { RunRequest } = require("@pulumi/pulumi/proto/language_pb");
        const { ResourceMonitorService } = require("@pulumi/pulumi/proto/resource_grpc_pb");
        const { serve } = require("./dist/lab/local-server");
        const { inline } = require("./dist/lab/resident/program");
        process.on("unhandledRejection", () => undefined);
        const gone = (_, done) => done({ code: status.UNAVAILABLE, details: "gone" });
        const all = (one) => [one, Object.fromEntries(Object.keys(one).map((name) => [name, gone]))];
        serve(all(ResourceMonitorService), all(EngineService)).then(async ({ port }) => {
            const address = "127.0.0.1:" + port;
            const request = new RunRequest().setProject("p").setStack("s").setPwd("/").setMonitorAddress(address);
            console.log(JSON.stringify(await inline(async () => ({}))(request, address)));
            process.exit();
        });`;
    const said = execFileSync("node", ["-e", script], { cwd: REPOSITORY, encoding: "utf8" });
    expect(said.trim()).not.toBe('"done"');
});

function isAlive(pid: number): boolean {
    try {
        return process.kill(pid, 0);
    } catch {
        return false;
    }
}

test("no process remains after it is stopped", async () => {
    const { text } = await up(resource("four"));
    const pids = ["pid", "program"].map((name) => Number(outputOf(text, name)));
    expect(pids.map(isAlive)).toStrictEqual([true, true]);
    await resident.stop();
    while (pids.some(isAlive)) await setTimeout(20);
    await expect(pulumi("version")).rejects.toThrow(/has ended/);
});
