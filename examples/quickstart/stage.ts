import { spawn } from "node:child_process";
import { type Lab, REPOSITORY } from "../../lab";

/** A call as the simulated cloud has logged it. */
export interface Call {
    readonly n: number;
    readonly action: string;
    readonly origin: string;
    readonly mutating: boolean;
    readonly code: string;
}

/** What a command printed and how it ended. */
export interface Result {
    readonly code: number;
    /** stdout and stderr, in the order in which they came. */
    readonly text: string;
}

/** One line of the closing summary. */
interface Line {
    readonly title: string;
    readonly seconds: number;
    readonly calls: readonly Call[];
}

/**
 * Where the demonstration takes place: shows each command and what it prints, counts the cloud's calls of each act, and fails with the first promise that is not kept.
 */
export class Stage {
    readonly #lines: Line[] = [];
    readonly #color = process.stdout.isTTY;

    constructor(readonly lab: Lab) {}

    /** One act: its title, what it does, and what it cost. */
    async act(title: string, play: () => Promise<void>): Promise<readonly Call[]> {
        this.say(`\n${"─".repeat(100)}\n${this.#paint("1", title)}\n${"─".repeat(100)}`);
        const from = (await this.calls()).at(-1)?.n ?? 0;
        const start = Date.now();
        await play();
        const calls = (await this.calls(from)).filter((call) => call.origin === "api");
        this.#lines.push({ title, seconds: (Date.now() - start) / 1000, calls });
        return calls;
    }

    /** Prints text. */
    say(text: string): void {
        process.stdout.write(`${text}\n`);
    }

    /** Runs a command, shown as a person would type it. */
    run(command: string, args: readonly string[]): Promise<Result> {
        this.say(this.#paint("36", `\n$ ${[command, ...args].map(quote).join(" ")}`));
        return new Promise((resolve, reject) => {
            const child = spawn(command, args, { cwd: REPOSITORY, env: this.lab.env, stdio: ["ignore", "pipe", "pipe"] });
            let text = "";
            const take = (chunk: Buffer) => {
                text += chunk.toString();
                process.stdout.write(chunk);
            };
            child.stdout.on("data", take);
            child.stderr.on("data", take);
            child.once("error", reject);
            child.once("close", (code) => resolve({ code: code ?? 1, text }));
        });
    }

    /** Runs a command that has to succeed. */
    async must(command: string, args: readonly string[]): Promise<Result> {
        const result = await this.run(command, args);
        this.check(`${command} ${args[0] ?? ""} succeeds`, result.code === 0, `exit code ${result.code}`);
        return result;
    }

    /** A promise: shown when it is kept, the end of the show when it is not. */
    check(promise: string, kept: boolean, otherwise = ""): void {
        if (!kept) {
            throw new Error(`not so: ${promise}${otherwise === "" ? "" : ` (${otherwise})`}`);
        }
        this.say(this.#paint("32", `  ✓ ${promise}`));
    }

    /** Calls of the cloud after number `since`. */
    async calls(since = 0): Promise<Call[]> {
        return this.cloud<Call[]>(`/_calls?since=${since}`);
    }

    /** An answer of the cloud's inspection endpoints. */
    async cloud<T>(path: string): Promise<T> {
        const answer = await fetch(this.lab.cloudUrl + path);
        if (!answer.ok) {
            throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
        }
        return (await answer.json()) as T;
    }

    /** The closing summary. */
    summary(): void {
        const width = Math.max(...this.#lines.map((line) => line.title.length));
        this.say(`\n${"Act".padEnd(width)}   seconds   API calls   of them writes`);
        for (const { title, seconds, calls } of this.#lines) {
            const writes = calls.filter((call) => call.mutating);
            this.say(`${title.padEnd(width)}   ${seconds.toFixed(1).padStart(7)}   ${String(calls.length).padStart(9)}   ${String(writes.length).padStart(6)}  ${perAction(writes)}`);
        }
    }

    #paint(code: string, text: string): string {
        return this.#color ? `\u001b[${code}m${text}\u001b[0m` : text;
    }
}

/** Calls by action, most first: `AddVServerGroupBackendServers 2, …`. */
export function perAction(calls: readonly Call[]): string {
    const counts = new Map<string, number>();
    for (const call of calls) {
        counts.set(call.action, (counts.get(call.action) ?? 0) + 1);
    }
    return [...counts]
        .sort(([, a], [, b]) => b - a)
        .map(([action, count]) => `${action} ${count}`)
        .join(", ");
}

function quote(word: string): string {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
