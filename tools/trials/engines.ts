/** Pulumi with programs that make a version of the Service. */
import { execFile, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { SECRETS_PROVIDER } from "../../lab/environment";
import { killTree } from "../../lab/processes";
import { REPOSITORY } from "../../lab/repository";
import { Engine, type EngineOptions, type Outcome } from "../parity/engine";
import { program, type Version } from "./service";
import type { World } from "./world";

/** A stack without resources at first. */
export interface Stack {
    /** `pulumi up` on what the cluster then has of the Service. After a kill `pulumi cancel` comes before it. */
    up(version: Version | "none", refresh?: boolean): Promise<Outcome>;
    /** The same, until the CLI, the program and the plugins are killed. @param when resolves at that moment */
    upUntil(version: Version | "none", when: Promise<void>): Promise<void>;
}

export interface Engines {
    /** A new stack. The last is forgotten. */
    stack(): Promise<Stack>;
    close(): void;
}

const folder = (name: string): string => path.join(process.env["LAB_DIR"] ?? "", name);

/**
 * The CLI with programs in this process, and plugins that stay loaded. Those of a killed run are killed with it.
 *
 * @param parallel number of concurrent operations. With 1, the order of calls is the same in every run.
 */
export function resident(world: World, parallel: number, options: EngineOptions = {}): Engines {
    const engine = new Engine(folder("project"), options);
    return {
        stack: async () => {
            const stack = await engine.stack(parallel);
            return {
                up: (version, refresh = false) => {
                    world.publish(version);
                    return stack.up(() => program(version), refresh);
                },
                upUntil: (version, when) => {
                    world.publish(version);
                    return stack.upUntil(() => program(version), when);
                },
            };
        },
        close: () => engine.close(),
    };
}

/** Reads the version from a file beside it. */
const PROGRAM = `
const { program } = require(${JSON.stringify(path.join(__dirname, "service.js"))});
module.exports = program(JSON.parse(require("node:fs").readFileSync(__dirname + "/version.json", "utf8")));
`;

/** Flags of every run. Without parallel operations, the order of calls is the same in every run. */
const PLAIN = ["--stack", "dev", "--non-interactive", "--color", "never"];
const UP = ["up", "--yes", "--skip-preview", "--parallel", "1", ...PLAIN];

/** The CLI that is on PATH, and processes of programs and plugins for each run. */
export function processes(world: World): Engines {
    let stacks = 0;
    return {
        stack: async () => {
            const name = `killed-${(stacks += 1)}`;
            const cwd = folder(name);
            fs.mkdirSync(cwd);
            const manifest = `name: ${name}\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n`;
            fs.writeFileSync(path.join(cwd, "Pulumi.yaml"), manifest);
            fs.writeFileSync(path.join(cwd, "package.json"), '{ "name": "killed", "main": "index.js" }\n');
            fs.writeFileSync(path.join(cwd, "index.js"), PROGRAM);
            fs.symlinkSync(path.join(REPOSITORY, "node_modules"), path.join(cwd, "node_modules"));
            const { ok, errors } = await pulumi(cwd, "stack", "init", "dev", "--secrets-provider", SECRETS_PROVIDER);
            if (!ok) throw new Error(errors.join("\n"));
            let isKilled = false;
            const publish = (version: Version | "none"): void => {
                world.publish(version);
                fs.writeFileSync(path.join(cwd, "version.json"), JSON.stringify(version));
            };
            return {
                up: async (version, refresh = false) => {
                    publish(version);
                    const cancelled = isKilled ? await pulumi(cwd, "cancel", "--yes", ...PLAIN) : undefined;
                    if (cancelled?.ok === false) return cancelled;
                    isKilled = false;
                    return pulumi(cwd, ...UP, ...(refresh ? ["--refresh"] : []));
                },
                upUntil: async (version, when) => {
                    publish(version);
                    isKilled = true;
                    const up = spawn("pulumi", UP, { cwd, stdio: "ignore" });
                    const ended = new Promise<void>((resolve) => up.once("close", () => resolve()));
                    void when.then(() => {
                        if (up.exitCode === null && up.pid !== undefined) killTree(up.pid);
                    });
                    await ended;
                },
            };
        },
        close: () => undefined,
    };
}

const execute = promisify(execFile);

async function pulumi(cwd: string, ...args: string[]): Promise<Outcome> {
    try {
        await execute("pulumi", args, { cwd, maxBuffer: 1 << 26 });
        return { ok: true, errors: [], changes: 0 };
    } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        return { ok: false, errors: [`pulumi ${args[0]}: ${stdout}${stderr}`], changes: 0 };
    }
}
