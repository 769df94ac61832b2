/** A scratch project for tests and measurements of the engine: own backend, own home, programs as text. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ROOT } from "./plugin";

/** A resource of the state, as far as tests look at it. */
export interface RecordedResource {
    readonly urn: string;
    readonly id?: string;
}

/** The deployment of a checkpoint, as far as tests look at it. */
export interface RecordedState {
    readonly resources?: readonly RecordedResource[];
    readonly pending_operations?: readonly { readonly resource: RecordedResource; readonly type: string }[];
}

/** A project in a folder of its own, with the recorder's pretend provider beside the program. */
export class ScratchProject {
    readonly folder = mkdtempSync(join(tmpdir(), "engine-scratch-"));
    readonly env: NodeJS.ProcessEnv;

    constructor(program: string) {
        this.env = {
            ...process.env,
            PATH: [
                join(ROOT, "lab", "bin"),
                join(ROOT, "node_modules", ".bin"),
                join(ROOT, "node_modules", "@pulumi", "pulumi"),
                process.env["PATH"],
            ].join(delimiter),
            PULUMI_BACKEND_URL: `file://${this.folder}`,
            PULUMI_CONFIG_PASSPHRASE: "pw",
            PULUMI_HOME: join(this.folder, "home"),
            CORPUS_CLOUD: join(this.folder, "cloud.json"),
        };
        cpSync(join(ROOT, "testdata", "engine", "lib"), this.folder, { recursive: true });
        symlinkSync(join(ROOT, "node_modules"), join(this.folder, "node_modules"));
        writeFileSync(
            join(this.folder, "Pulumi.yaml"),
            "name: scratch\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
        );
        writeFileSync(join(this.folder, "package.json"), '{"name": "scratch", "main": "index.js"}');
        writeFileSync(join(this.folder, "index.js"), program);
        this.run("stack", "init", "dev");
    }

    /** Starts a command of the engine. */
    start(...args: string[]): ChildProcess {
        return spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
            cwd: this.folder,
            env: this.env,
            stdio: ["ignore", "pipe", "pipe"],
        });
    }

    /** Runs a command that has to succeed. */
    run(...args: string[]): string {
        return execFileSync("pulumi", [...args, "--non-interactive", "--color", "never"], {
            cwd: this.folder,
            env: this.env,
            encoding: "utf8",
            stdio: ["ignore", "pipe", "pipe"],
            maxBuffer: 1 << 28,
        });
    }

    /** The stack's state as the file has it at this moment. */
    state(): RecordedState {
        const file = join(this.folder, ".pulumi", "stacks", "scratch", "dev.json");
        return (JSON.parse(readFileSync(file, "utf8")) as { checkpoint: { latest: RecordedState } }).checkpoint.latest;
    }

    /** A file of the project. */
    read(file: string): string {
        return readFileSync(join(this.folder, file), "utf8");
    }

    remove(): void {
        rmSync(this.folder, { recursive: true, force: true });
    }
}

/** Ends a process and all that descends from it, at once. An engine puts its plugins into process groups of their own, so parents are followed. */
export function killTree(root: number): void {
    const pairs = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/).map(Number));
    const pids = [root];
    for (const parent of pids)
        pids.push(...pairs.flatMap(([pid, of]) => (of === parent && pid !== undefined ? [pid] : [])));
    for (const pid of pids) {
        try {
            process.kill(pid, "SIGKILL");
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
        }
    }
}
