import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { SECRETS_PROVIDER } from "../../lab/environment";
import { REPOSITORY } from "../../lab/repository";
import { InlineCli, type Staying } from "../../lab/resident/inline-cli";

/** A Pulumi program. */
export type Program = () => Promise<void>;

export interface Outcome {
    readonly ok: boolean;
    /** Reported errors, a text each. */
    readonly errors: readonly string[];
    /** Resources that were not left as they were. */
    readonly changes: number;
}

const PROJECT = "name: parity\nruntime: { name: nodejs, options: { typescript: false } }\n";
const STACK = "cases";
/** Packages that a project needs. Every run looks at all that a project has. */
const PACKAGES = ["@pulumi", "ack-loadbalancer"];
const FLAGS = ["--non-interactive", "--color", "never"];

export type EngineOptions = Pick<Staying, "checkpoints">;

/** Pulumi CLI with programs in this process, a process of each plugin for all runs, and a stack that is reused. */
export class Engine {
    #cli: Promise<InlineCli> | undefined;
    #program: Program = async () => undefined;
    /** The file of the stack's state, and its text without resources. */
    #state: { readonly file: string; readonly text: string } | undefined;

    /** @param dir folder for the project */
    constructor(
        private readonly dir: string,
        private readonly options: EngineOptions = {},
    ) {
        fs.mkdirSync(dir, { recursive: true });
        fs.writeFileSync(path.join(dir, "Pulumi.yaml"), PROJECT);
        fs.writeFileSync(path.join(dir, "package.json"), '{ "main": "index.js" }\n');
        fs.writeFileSync(path.join(dir, "index.js"), "");
        const modules = path.join(dir, "node_modules");
        fs.mkdirSync(modules, { recursive: true });
        for (const name of PACKAGES) {
            const link = path.join(modules, name);
            if (!fs.existsSync(link)) fs.symlinkSync(path.join(REPOSITORY, "node_modules", name), link);
        }
    }

    /**
     * Returns the stack without resources, whose former content is forgotten.
     *
     * @param parallel number of concurrent operations. With 1, the order of calls is the same in every run.
     */
    async stack(parallel = 8): Promise<Stack> {
        const folder = path.join(fileURLToPath(process.env["PULUMI_BACKEND_URL"] ?? ""), ".pulumi");
        if (this.#state === undefined) {
            const { code, text } = await this.run(["stack", "init", STACK, "--secrets-provider", SECRETS_PROVIDER]);
            if (code !== 0) throw new Error(text);
            const file = path.join(folder, `stacks/parity/${STACK}.json`);
            this.#state = { file, text: fs.readFileSync(file, "utf8") };
        }
        fs.rmSync(path.join(folder, "locks"), { recursive: true, force: true });
        fs.writeFileSync(this.#state.file, this.#state.text);
        return new Stack(this, parallel);
    }

    /** Runs a command line for the given program. */
    async run(
        args: readonly string[],
        program: Program = async () => undefined,
        killed?: Promise<void>,
    ): Promise<{
        readonly code: number;
        readonly text: string;
        readonly out: string;
        readonly events: readonly Event[];
    }> {
        this.#program = program;
        const cli = await (this.#cli ??= InlineCli.start({
            names: ["alicloud", "pulumi-nodejs"],
            program: () => this.#program(),
            ...this.options,
        }));
        const log = path.join(this.dir, "events.json");
        fs.rmSync(log, { force: true });
        const env: NodeJS.ProcessEnv = { ...process.env, PULUMI_DEBUG_COMMANDS: "true" };
        const listeners = LISTENED.map((name) => process.listeners(name as "exit"));
        let [text, out] = ["", ""];
        const logging = args[0] === "up" ? ["--event-log", log] : [];
        const running = await cli.start([...args, ...FLAGS, ...logging], { cwd: this.dir, env }, (chunk, isError) => {
            text += chunk;
            if (!isError) out += chunk;
        });
        void killed?.then(() => running.kill());
        const code = await running.code;
        forgetListeners(listeners);
        if (killed !== undefined) this.close();
        return { code, text, out, events: readEvents(log) };
    }

    /** Ends the plugins. */
    close(): void {
        void this.#cli?.then(
            (cli) => cli.stop(),
            () => undefined,
        );
        this.#cli = undefined;
    }
}

/** Events that the SDK listens to while a program runs. */
const LISTENED = ["uncaughtException", "unhandledRejection"] as const;

/**
 * Removes listeners that the SDK leaves behind when a program throws. They would report errors of this run in the next.
 */
function forgetListeners(before: readonly NodeJS.ExitListener[][]): void {
    for (const [index, name] of LISTENED.entries()) {
        for (const listener of process.listeners(name as "exit").filter((one) => !before[index]?.includes(one)))
            process.off(name, listener);
    }
}

/** An event of the engine, as far as it is read here. */
interface Event {
    readonly diagnosticEvent?: { readonly severity: string; readonly message: string };
    readonly summaryEvent?: { readonly resourceChanges: Readonly<Record<string, number>> };
}

function readEvents(file: string): Event[] {
    if (!fs.existsSync(file)) return [];
    return fs
        .readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.startsWith("{") && line.endsWith("}"))
        .map((line) => JSON.parse(line) as Event);
}

/** The stack of an engine. */
export class Stack {
    #isKilled = false;

    constructor(
        private readonly engine: Engine,
        private readonly parallel: number,
    ) {}

    /** `pulumi up`, with or without `--refresh`. */
    async up(program: Program, refresh: boolean): Promise<Outcome> {
        if (this.#isKilled) {
            const { code, text } = await this.engine.run(["cancel", "--yes", "--stack", STACK]);
            if (code !== 0) throw new Error(`pulumi cancel: ${text}`);
            this.#isKilled = false;
        }
        const { code, text, events } = await this.#up(program, refresh ? ["--refresh"] : []);
        const errors = events.flatMap(({ diagnosticEvent: one }) =>
            one?.severity === "error" ? [one.message.trim()] : [],
        );
        const last = events.findLast(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
        const changes = Object.entries(last?.resourceChanges ?? {}).reduce(
            (sum, [op, count]) => sum + (op === "same" ? 0 : count),
            0,
        );
        const reported = code !== 0 && errors.length === 0 ? [text.trim()] : errors;
        return { ok: code === 0 && errors.length === 0, errors: [...new Set(reported)], changes };
    }

    /** `pulumi preview --json --show-sames`. Returns the document. */
    async preview(program: Program, refresh: boolean): Promise<string> {
        const flags = ["--json", "--show-sames", "--stack", STACK, "--parallel", String(this.parallel)];
        const { out, text } = await this.engine.run(["preview", ...flags, ...(refresh ? ["--refresh"] : [])], program);
        if (!out.includes("{")) throw new Error(`pulumi preview: ${text}`);
        return out.slice(out.indexOf("{"));
    }

    /** `pulumi up`, until the CLI, the program and the plugins are killed. @param when resolves at that moment */
    async upUntil(program: Program, when: Promise<void>): Promise<void> {
        this.#isKilled = true;
        await this.#up(program, [], when);
    }

    #up(program: Program, flags: readonly string[], killed?: Promise<void>) {
        const args = ["up", "--yes", "--skip-preview", "--stack", STACK, "--parallel", String(this.parallel)];
        return this.engine.run([...args, ...flags], program, killed);
    }
}
