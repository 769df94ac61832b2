import { type ChildProcess, spawn } from "node:child_process";
import type { CallRecord as Call } from "./cloud";
import { REPOSITORY } from "./repository";
import type { Lab } from "./lab";
import { killTree } from "./processes";
import { Resident } from "./resident";

/** Output and exit code of a command. */
export interface Result {
    readonly code: number;
    /** stdout and stderr, in the order in which they came. */
    readonly text: string;
}

export interface RunOptions {
    /** Working folder, by default the repository's root. */
    readonly cwd?: string;
    /** Variables on top of the lab's. */
    readonly env?: Readonly<Record<string, string>>;
    /** Gets what the command prints, as it comes. */
    readonly onOutput?: (chunk: string) => void;
}

/** A program that runs in a lab. */
export interface Running {
    readonly done: Promise<Result>;
    /** Process that was started, or 0 if it could not be. */
    readonly pid: number;
    /** Ends the program and all that it has started at once, as a crash of the machine would. */
    kill(): void;
}

/** Options of a session. */
export interface SessionOptions {
    /**
     * Keeps the CLI with the program, and the plugins, loaded between operations (see {@link Resident}). Commands at
     * the same time have separate processes. It suits tests of resources, not of processes or types: a command by
     * `start`, a command with variables for Node, and everything with `RESIDENT=0` or `ENGINE=path` is a process all
     * the same. Default: only with `RESIDENT=1`.
     */
    readonly isResident?: boolean;
}

/** Variables that Node reads when a process starts. */
const AT_START = /^NODE_/;

/** Runs programs in a lab and asks its cloud what they did. */
export class Session {
    readonly lab: Lab;
    readonly #isResident: boolean;
    readonly #residents: Resident[] = [];
    /** The lab's own resident CLI, which outlives this session. */
    #kept: Resident | undefined;

    /** @param own resident CLI of a lab that is used again. */
    constructor(
        lab: Lab,
        { isResident = process.env["RESIDENT"] === "1" }: SessionOptions = {},
        private readonly own?: () => Resident,
    ) {
        const { ENGINE, RESIDENT } = process.env;
        this.#isResident = isResident && ENGINE !== "path" && RESIDENT !== "0";
        const stop = async (): Promise<void> => {
            const ended = this.#residents.filter((cli) => cli !== this.#kept || cli.isBusy);
            await Promise.all(ended.map((cli) => cli.stop()));
            await lab.stop();
        };
        this.lab = this.#isResident ? { ...lab, stop } : lab;
    }

    /** Runs a command to its end. */
    async run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Result> {
        const { cwd = REPOSITORY, env = {}, onOutput } = options;
        const isProcess = !this.#isResident || Object.keys(env).some((name) => AT_START.test(name));
        if (command !== "pulumi" || isProcess) return this.start(command, args, options).done;
        let text = "";
        const code = await this.#idleResident().run({ args, cwd, env }, (chunk) => {
            text += chunk;
            onOutput?.(chunk);
        });
        return { code, text };
    }

    #idleResident(): Resident {
        const idle = this.#residents.find((cli) => !cli.isBusy);
        if (idle !== undefined) return idle;
        const cli = this.#takeOwn() ?? new Resident(this.lab.env);
        this.#residents.push(cli);
        return cli;
    }

    /** The lab's own, once. */
    #takeOwn(): Resident | undefined {
        return this.#kept === undefined ? (this.#kept = this.own?.()) : undefined;
    }

    /** Starts a command. */
    start(command: string, args: readonly string[], options: RunOptions = {}): Running {
        const child = spawn(command, args, {
            cwd: options.cwd ?? REPOSITORY,
            env: { ...this.lab.env, ...options.env },
            stdio: ["ignore", "pipe", "pipe"],
        });
        return {
            done: collect(child, options.onOutput),
            pid: child.pid ?? 0,
            kill: () => (child.pid === undefined ? undefined : killTree(child.pid)),
        };
    }

    /** Calls of programs after number `since`, in order. */
    async calls(since = 0): Promise<Call[]> {
        return (await this.cloud<Call[]>(`/_calls?since=${since}`)).filter((call) => call.origin === "api");
    }

    /** Number of the last call of any origin. */
    async lastCall(): Promise<number> {
        return (await this.cloud<Call[]>("/_calls")).at(-1)?.n ?? 0;
    }

    /** An answer of the cloud's inspection endpoints. */
    async cloud<T>(path: string, body?: object, method = body === undefined ? "GET" : "POST"): Promise<T> {
        const answer = await fetch(this.lab.cloudUrl + path, {
            method,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
        const text = await answer.text();
        return (text === "" ? undefined : JSON.parse(text)) as T;
    }
}

function collect(child: ChildProcess, onOutput: RunOptions["onOutput"]): Promise<Result> {
    return new Promise((resolve, reject) => {
        let text = "";
        const take = (chunk: Buffer): void => {
            text += chunk.toString();
            onOutput?.(chunk.toString());
        };
        child.stdout?.on("data", take);
        child.stderr?.on("data", take);
        child.once("error", reject);
        child.once("close", (code) => resolve({ code: code ?? 1, text }));
    });
}

/** Calls by action, most first: `AddVServerGroupBackendServers 2, …`. */
export function perAction(calls: readonly Call[]): string {
    return Object.entries(countByAction(calls))
        .sort(([, a], [, b]) => b - a)
        .map(([action, count]) => `${action} ${count}`)
        .join(", ");
}

export function countByAction(calls: readonly Call[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { action } of calls) counts[action] = (counts[action] ?? 0) + 1;
    return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
