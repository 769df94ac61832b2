/** Calls of the CLI to a language host, made by the real CLI. */
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ScratchProject } from "../../test/support/scratch-project";
import { dependenciesOf, requiredPlugins } from "./packages";

const JAVASCRIPT = "name: host\nruntime: { name: nodejs, options: { typescript: false } }\n";

let project: ScratchProject;

beforeAll(async () => {
    project = await ScratchProject.make("host");
});
beforeEach(() => {
    fs.rmSync(path.join(project.folder, "index.ts"), { force: true });
    write("Pulumi.yaml", JAVASCRIPT);
    write("package.json", '{ "main": "index.js" }\n');
});
afterAll(() => project.remove());

const write = (file: string, text: string): void => fs.writeFileSync(path.join(project.folder, file), text);
/** A preview that has to fail. @returns what it says */
async function refused(): Promise<string> {
    const { code, text } = await preview();
    expect(code).not.toBe(0);
    return text;
}

const preview = (): Promise<{ code: number; text: string }> => project.pulumi("preview", "--stack", "dev");

test("a JavaScript program gets its configuration with secrets", async () => {
    await project.pulumi("config", "set", "greeting", "hello", "--stack", "dev");
    await project.pulumi("config", "set", "--secret", "word", "hush", "--stack", "dev");
    write(
        "index.js",
        `const pulumi = require("@pulumi/pulumi");
        const config = new pulumi.Config();
        module.exports = {
            greeting: config.require("greeting"),
            word: config.requireSecret("word"),
            stack: pulumi.getStack(),
        };`,
    );
    const { code, text } = await preview();
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringMatching(/greeting: "hello"/) });
    expect(text).toMatch(/word +: \[secret\]/);
    expect(text).toMatch(/stack +: "dev"/);
    expect(text).not.toMatch(/hush/);
});

test("a TypeScript program is compiled with the options of its project", async () => {
    fs.rmSync(path.join(project.folder, "index.js"));
    write("Pulumi.yaml", "name: host\nruntime: { name: nodejs, options: { nodeargs: --title=tried } }\n");
    write("package.json", "{}\n");
    write(
        "tsconfig.json",
        '{ "compilerOptions": { "target": "es2022", "module": "commonjs", "strict": true, "types": ["node"] } }\n',
    );
    write(
        "index.ts",
        `enum Size { Small = 7 }\nexport const size: number = Size.Small;\nexport const title = process.title;\n`,
    );
    const right = await preview();
    expect(right).toMatchObject({ code: 0, text: expect.stringMatching(/size *: 7/) });
    expect(right.text).toMatch(/title *: "tried"/);
    write("index.ts", "export const size: string = 7;\n");
    expect(await refused()).toMatch(/TS2322|not assignable/);
});

test("the output of a program is shown", async () => {
    write("index.js", `console.log("printed"); console.error("complained");`);
    expect(await preview()).toMatchObject({
        code: 0,
        text: expect.stringMatching(/printed[^]*complained|complained[^]*printed/),
    });
});

test("a failed program is reported: an error, an exit code, a signal", async () => {
    write("index.js", `throw new Error("not today");`);
    expect(await refused()).toMatch(/Error: not today/);
    write("index.js", `process.exit(3);`);
    expect(await refused()).toMatch(/exited with non-zero exit code: 3/);
    write("index.js", `process.kill(process.pid, "SIGKILL"); setTimeout(() => undefined, 60_000);`);
    expect(await refused()).toMatch(/due to a signal: SIGKILL/);
});

test("pulumi install runs npm and shows its output", async () => {
    const folder = path.join(project.folder, "installed");
    fs.mkdirSync(folder);
    fs.mkdirSync(path.join(folder, "own"));
    fs.writeFileSync(path.join(folder, "own/package.json"), '{ "name": "own", "version": "1.2.3" }\n');
    fs.writeFileSync(path.join(folder, "Pulumi.yaml"), JAVASCRIPT);
    fs.writeFileSync(path.join(folder, "package.json"), '{ "dependencies": { "own": "file:own" } }\n');
    const done = await project.pulumi("install", "--cwd", folder);
    expect(done).toMatchObject({ code: 0 });
    expect(dependenciesOf(folder, false)).toStrictEqual([{ name: "own", version: "1.2.3" }]);
    fs.writeFileSync(path.join(folder, "package.json"), '{ "dependencies": { "own": "nowhere:own" } }\n');
    const failed = await project.pulumi("install", "--cwd", folder);
    expect(failed.code).not.toBe(0);
    expect(failed.text).toMatch(/npm install ended with \d+ in /);
});

test("a plugin of a folder runs, and says why it cannot", async () => {
    const folder = path.join(project.folder, "door");
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, "PulumiPlugin.yaml"), "name: door\nruntime: nodejs\n");
    fs.writeFileSync(path.join(folder, "package.json"), '{ "main": "index.js" }\n');
    const serving = (schema: string): void =>
        fs.writeFileSync(
            path.join(folder, "index.js"),
            `const { provider } = require("@pulumi/pulumi");
            provider.main({ version: "1.2.3", getSchema: async () => ${schema} }, process.argv.slice(2));`,
        );
    serving('JSON.stringify({ name: "door", version: "1.2.3", description: "of oak" })');
    const { code, text } = await project.pulumi("package", "get-schema", folder);
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringMatching(/"description": "of oak"/) });
    fs.writeFileSync(path.join(folder, "index.js"), `throw new Error("locked");`);
    const refusal = await project.pulumi("package", "get-schema", folder);
    expect(refusal.code).not.toBe(0);
    expect(refusal.text).toMatch(/Error: locked/);
});

test("pulumi about names the packages of the program and Node", async () => {
    write(
        "package.json",
        '{ "main": "index.js", "dependencies": { "@pulumi/pulumi": "*", "@pulumi/alicloud": "*" } }\n',
    );
    const { code, text } = await project.pulumi("about");
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringMatching(/@pulumi\/alicloud +3\.\d+\.\d+/) });
    expect(text).toMatch(/nodejs: executable='.*node' version='v\d+/);
});

test("plugins are those of installed packages, from the folder upwards, the nearest first", () => {
    const outer = path.join(project.folder, "outer");
    const inner = path.join(outer, "inner");
    const install = (folder: string, name: string, manifest: object): void => {
        fs.mkdirSync(path.join(folder, "node_modules", name), { recursive: true });
        fs.writeFileSync(path.join(folder, "node_modules", name, "package.json"), JSON.stringify(manifest));
    };
    install(outer, "@pulumi/near", { version: "1.0.0", pulumi: { resource: true } });
    install(outer, "@pulumi/far", { version: "v2.0.0", pulumi: { resource: true, name: "farther" } });
    install(inner, "@pulumi/near", { version: "1.1.0", pulumi: { resource: true, version: "1.1.5" } });
    install(inner, "plain", { version: "9.9.9" });
    const found = requiredPlugins(inner).filter(({ name }) => name.startsWith("near") || name.startsWith("far"));
    expect(found).toStrictEqual([
        { name: "near", version: "v1.1.5" },
        { name: "farther", version: "v2.0.0" },
    ]);
});

test("a killed CLI leaves neither host nor program", async () => {
    const file = path.join(project.folder, "pids");
    write(
        "index.js",
        `require("fs").writeFileSync(${JSON.stringify(file)}, process.ppid + " " + process.pid); ` +
            "setInterval(() => undefined, 1000);",
    );
    const cli = spawn("pulumi", ["preview", "--stack", "dev", "--non-interactive"], {
        cwd: project.folder,
        env: project.env,
        stdio: "ignore",
    });
    while (!fs.existsSync(file)) await pause(50);
    await pause(100);
    const pids = fs.readFileSync(file, "utf8").split(" ").map(Number);
    cli.kill("SIGKILL");
    const isAlive = (pid: number): boolean => {
        try {
            return process.kill(pid, 0);
        } catch {
            return false;
        }
    };
    while (pids.some(isAlive)) await pause(100);
    fs.rmSync(file);
});
