import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { type Call, type Lab, perAction, REPOSITORY, type Result, Session, startLab } from "../lab";

/** Line of the closing summary. */
interface Line {
    readonly title: string;
    readonly seconds: number;
    readonly calls: readonly Call[];
}

/** Numbers of lines that are shown of the beginning and of the end of a long output. */
const [HEAD, TAIL] = [3, 4];
const COLUMNS = 120;

/** Returns the part of a command's output that is shown: its first and its last lines, cut at the edge of a screen. */
export function excerpt(text: string): string {
    const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => (line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line));
    const hidden = lines.length - HEAD - TAIL;
    if (hidden > 1) lines.splice(HEAD, hidden, `  … ${hidden} lines, which the log has`);
    return lines.join("\n");
}

/** Standard output, which a demonstration that is played beside another gets when that is over. */
class Output {
    #held: string[] | undefined = [];

    write(text: string): void {
        if (this.#held === undefined) process.stdout.write(text);
        else this.#held.push(text);
    }

    /** Prints what was held, and from now on everything at once. */
    open(): this {
        process.stdout.write(this.#held?.join("") ?? "");
        this.#held = undefined;
        return this;
    }
}

/**
 * Stage of a demonstration: shows each command with an excerpt of its output, writes the whole into a log, counts the
 * cloud's calls of each act, and fails at the first expectation that is not met.
 */
export class Stage {
    /** Ends with what the session has started. */
    readonly lab: Lab;
    readonly #session: Session;
    readonly #lines: Line[] = [];

    /** @param log file for everything that commands print. */
    constructor(
        lab: Lab,
        readonly log: string,
        private readonly output: Output,
    ) {
        this.#session = new Session(lab);
        this.lab = this.#session.lab;
    }

    /** Plays an act, and prints its title and its cost. */
    async act(title: string, play: () => Promise<void>): Promise<readonly Call[]> {
        this.say(`\n${"─".repeat(100)}`);
        this.say(title, "1");
        this.say("─".repeat(100));
        const from = await this.#session.lastCall();
        const start = Date.now();
        await play();
        const calls = await this.#session.calls(from);
        this.#lines.push({ title, seconds: (Date.now() - start) / 1000, calls });
        return calls;
    }

    /**
     * Prints text, and writes it into the log.
     * @param color of a terminal.
     */
    say(text: string, color?: string): void {
        this.#write(`${text}\n`);
        const isPainted = color !== undefined && process.stdout.isTTY;
        this.output.write(isPainted ? `\u001b[${color}m${text}\u001b[0m\n` : `${text}\n`);
    }

    /** Runs a command, shown as a person would type it. */
    async run(command: string, args: readonly string[]): Promise<Result> {
        this.say(`\n$ ${[command, ...args].map(quote).join(" ")}`, "36");
        if (command === "pulumi") await this.lab.cli;
        const result = await this.#session.run(command, args, { onOutput: (chunk) => this.#write(chunk) });
        if (result.text !== "") this.output.write(`${excerpt(result.text)}\n`);
        return result;
    }

    /** Runs a command that has to succeed. */
    async must(command: string, args: readonly string[]): Promise<Result> {
        const result = await this.run(command, args);
        this.check(`${command} ${args[0] ?? ""} succeeds`, result.code === 0, `exit code ${result.code}`);
        return result;
    }

    /** Runs a command whose output is for another command, which must succeed or be refused. Returns the output. */
    async quietly(
        command: string,
        args: readonly string[],
        end: "succeeds" | "is refused" = "succeeds",
    ): Promise<string> {
        this.say(`\n$ ${[command, ...args].map(quote).join(" ")} …`, "36");
        const { code, text } = await this.#session.run(command, args);
        this.check(
            `${command} ${args[0] ?? ""} ${end}`,
            (code === 0) === (end === "succeeds"),
            `exit code ${code}: ${text}`,
        );
        return text;
    }

    /** A promise: shown when it is kept, the end of the show when it is not. */
    check(promise: string, kept: boolean, otherwise = ""): void {
        if (!kept) {
            throw new Error(`not so: ${promise}${otherwise === "" ? "" : ` (${otherwise})`}`);
        }
        this.say(`  ✓ ${promise}`, "32");
    }

    /** An answer of the cloud's inspection endpoints. */
    cloud<T>(path: string): Promise<T> {
        return this.#session.cloud<T>(path);
    }

    /** The closing summary. */
    summary(): void {
        const width = Math.max(...this.#lines.map((line) => line.title.length));
        this.say(`\n${"Act".padEnd(width)}   seconds   API calls   of them writes`);
        for (const { title, seconds, calls } of this.#lines) {
            const writes = calls.filter((call) => call.mutating);
            this.say(
                [
                    title.padEnd(width),
                    seconds.toFixed(1).padStart(7),
                    String(calls.length).padStart(9),
                    `${String(writes.length).padStart(6)}  ${perAction(writes)}`,
                ].join("   "),
            );
        }
    }

    #write(text: string): void {
        fs.appendFileSync(this.log, text);
    }
}

function quote(word: string): string {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A demonstration in a lab of its own. */
export interface Show {
    /** Name of the Pulumi stack. Its configuration file is removed at the end. */
    readonly stack: string;
    /** ACK id in the lab's cluster. */
    readonly clusterId: string;
    /** @param scratch folder that is removed at the end */
    readonly play: (stage: Stage, scratch: string) => Promise<void>;
}

/**
 * Runs demonstrations, and removes at the end, also after Ctrl-C, what they made. Each begins as soon as the CLI is
 * there, beside the one before it, and is shown after that. The exit code is 1 if an expectation is not met.
 */
export function perform(...shows: readonly Show[]): void {
    const ends = new Set<() => Promise<void>>();
    const stop = async (code: number): Promise<void> => {
        await Promise.all([...ends].map((end) => end()));
        process.exit(code);
    };
    process.once("SIGINT", () => void stop(130));
    process.once("SIGTERM", () => void stop(143));
    playAll(shows, new Output().open(), ends).catch((error: unknown) => {
        process.stderr.write(`\ndemo failed: ${error instanceof Error ? error.message : String(error)}\n`);
        process.exitCode = 1;
    });
}

async function playAll(
    [show, ...others]: readonly Show[],
    output: Output,
    ends: Set<() => Promise<void>>,
): Promise<void> {
    if (show === undefined) return;
    const { stack, clusterId, play } = show;
    const lab = await startLab({ clusterId, isEarly: true, report: (line) => output.write(`lab: ${line}\n`) });
    const scratch = fs.mkdtempSync(path.join(os.tmpdir(), `ack-${stack}-`));
    const stage = new Stage(lab, path.join(os.tmpdir(), `ack-${stack}.log`), output);
    const end = async (): Promise<void> => {
        ends.delete(end);
        output.write(`\nThe whole output: ${stage.log}\n`);
        await stage.lab.stop();
        fs.rmSync(scratch, { recursive: true, force: true });
        fs.rmSync(path.join(REPOSITORY, `Pulumi.${stack}.yaml`), { force: true });
    };
    ends.add(end);
    const next = new Output();
    const rest = Promise.allSettled([lab.cli.then(() => playAll(others, next, ends))]);
    try {
        await play(stage, scratch);
    } catch (error) {
        await Promise.all([end(), rest]);
        throw error;
    }
    await end();
    next.open();
    for (const one of await rest) if (one.status === "rejected") throw one.reason;
}
