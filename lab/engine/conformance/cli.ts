import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { hasEnded } from "../plugin";
import type { Resident } from "../resident";
import type { JsonMap, Step } from "./case";
import { descendants } from "./processes";

/** Passphrase of every recorded stack. */
export const PASSPHRASE = "test";
/** Longest time one command may take, in ms. */
const PATIENCE = 180_000;

/** What a command has said, and how it ended. */
export interface Output {
    code: number | null;
    signal: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
}

/** How a command is run. */
interface RunOptions {
    /** Where a signal cuts it short. Default: nowhere. */
    readonly kill?: Step["kill"];
    /** Whether it is a process of its own in any case. Default false. */
    readonly isProcess?: boolean;
}

/** The CLI under test, in the folder of one case. */
export class CaseCli {
    /**
     * @param root folder of the case
     * @param program folder of its program
     * @param slowClock how much longer the timers of the program take
     */
    constructor(
        private readonly pulumi: string,
        private readonly nodeModules: string,
        private readonly root: string,
        private readonly program: string,
        private readonly slowClock: number,
        /** Where commands run that need no process of their own; undefined: all have one. */
        private readonly resident: Resident | undefined,
    ) {}

    /** Runs a command that has to succeed. @throws Error with what it said if it fails */
    async must(args: readonly string[]): Promise<Output> {
        const out = await this.run(args, {});
        if (out.code !== 0) throw new Error(`pulumi ${args.join(" ")} failed: ${out.stderr}`);
        return out;
    }

    /** Runs a command to its end. */
    async run(
        args: readonly string[],
        env: Record<string, string>,
        { kill, isProcess = false }: RunOptions = {},
    ): Promise<Output> {
        if (this.resident !== undefined && !isProcess) return this.runInside(this.resident, args, env);
        const child = this.start(args, env);
        let [stdout, stderr] = ["", ""];
        child.stdout?.on("data", (d: Buffer) => (stdout += d.toString()));
        child.stderr?.on("data", (d: Buffer) => (stderr += d.toString()));
        const timer = setTimeout(() => {
            for (const p of descendants(child.pid as number)) process.kill(p, "SIGKILL");
            child.kill("SIGKILL");
        }, PATIENCE);
        const ended = new Promise<Output>((done, failed) => {
            child.once("error", failed);
            child.once("close", (code, signal) => done({ code, signal, stdout, stderr }));
        });
        if (kill) void this.interrupt(child, kill);
        const out = await ended;
        clearTimeout(timer);
        return out;
    }

    private async runInside(resident: Resident, args: readonly string[], env: Record<string, string>): Promise<Output> {
        let [stdout, stderr] = ["", ""];
        const request = { args, cwd: this.program, env: { ...this.environment(), ...env } };
        const timer = setTimeout(() => void resident.stop(), PATIENCE);
        const code = await resident
            .run(request, (chunk, isError) => {
                if (isError) stderr += chunk;
                else stdout += chunk;
            })
            .finally(() => clearTimeout(timer));
        return { code, signal: null, stdout, stderr };
    }

    private start(args: readonly string[], env: Record<string, string>): ChildProcess {
        return spawn(this.pulumi, args, {
            cwd: this.program,
            env: { ...process.env, ...this.environment(), ...env },
            stdio: ["ignore", "pipe", "pipe"],
        });
    }

    private environment(): Record<string, string> {
        return {
            // The plugins that come with the CLI are the first to be found, as where the recordings were made.
            PATH: [
                dirname(this.pulumi),
                join(this.nodeModules, ".bin"),
                join(this.nodeModules, "@pulumi", "pulumi"),
                process.env["PATH"] ?? "",
            ].join(delimiter),
            PULUMI_BACKEND_URL: `file://${join(this.root, "state")}`,
            PULUMI_HOME: join(this.root, "home"),
            PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
            PULUMI_SKIP_UPDATE_CHECK: "true",
            PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
            PULUMI_DEBUG_COMMANDS: "true",
            ...(this.slowClock > 1
                ? {
                      NODE_OPTIONS: `--require ${join(__dirname, "slow-clock.js")}`,
                      CORPUS_SLOW_CLOCK: String(this.slowClock),
                  }
                : {}),
            CORPUS_LOG: join(this.root, "calls.log"),
            CORPUS_CLOUD: join(this.root, "cloud.json"),
        };
    }

    /** Sends a signal once a provider call has begun; after SIGKILL the orphans are ended, too. */
    private async interrupt(child: ChildProcess, kill: NonNullable<Step["kill"]>): Promise<void> {
        const [op, label] = kill.when.split(":");
        const file = join(this.root, "calls.log");
        for (;;) {
            if (hasEnded(child)) return;
            const lines = existsSync(file)
                ? readFileSync(file, "utf8")
                      .split("\n")
                      .filter((l) => l !== "")
                : [];
            if (
                lines.some((l) => {
                    const e = JSON.parse(l) as JsonMap;
                    return e["op"] === op && e["label"] === label;
                })
            )
                break;
            await new Promise((r) => setTimeout(r, 20));
        }
        await new Promise((r) => setTimeout(r, kill.delay));
        const below = kill.signal === "SIGKILL" ? descendants(child.pid as number) : [];
        child.kill(kill.signal);
        for (const p of below) {
            try {
                process.kill(p, "SIGKILL");
            } catch {
                continue; // it has ended by itself
            }
        }
    }
}
