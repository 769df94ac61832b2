import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { SPARING } from "../environment";
import { languageHost } from "../nodejs/host";
import { endAll } from "../nodejs/processes";
import { type LocalServer, serve } from "../local-server";
import { KeptPlugins, type Package } from "./plugins";
import { inline } from "./program";
import type { Surroundings } from "./request";

/** Receives what a command prints, and whether that went to stderr. */
export type OnOutput = (chunk: string, isError: boolean) => void;

/** Parts that stay between the runs of the CLI. */
export interface Staying {
    /** Packages whose plugins stay. Others are started for each run. */
    readonly names: readonly Package[];
    /** Runs the program of a project in this process. */
    readonly program: (pwd: string, entry: string) => Promise<unknown>;
    /** Takes what the plugins print. */
    readonly onLine?: (line: string) => void;
    /** True if the state is written after each step, as a killed run needs. Default: at the end of a run. */
    readonly checkpoints?: boolean;
}

const AT_THE_END = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** A command that runs. */
export interface RunningCli {
    /** Exit code, 1 if it was killed. */
    readonly code: Promise<number>;
    /** Ends the CLI at once, and leaves program and plugins. */
    kill(): void;
}

/**
 * The Pulumi CLI with the program in this process, as in the Automation API, and with plugins that stay loaded: an
 * operation saves the loading of SDK and plugins, which takes most of its time otherwise.
 */
export class InlineCli {
    private constructor(
        private readonly host: LocalServer,
        private readonly plugins: KeptPlugins,
        private readonly variables: Readonly<Record<string, string>>,
    ) {}

    /** Starts the plugins and the language host. */
    static async start({ names, program, onLine = () => undefined, checkpoints }: Staying): Promise<InlineCli> {
        const plugins = await KeptPlugins.start(tmpdir(), names, onLine);
        const host = await serve(languageHost("", inline(program)));
        const cli = new InlineCli(host, plugins, checkpoints === true ? {} : AT_THE_END);
        process.once("exit", cli.#end);
        return cli;
    }

    readonly #end = (): void => {
        endAll();
        this.plugins.stop();
    };

    /** Runs one command line at a time. @returns its exit code */
    async run(args: readonly string[], surroundings: Surroundings, onOutput: OnOutput): Promise<number> {
        return (await this.start(args, surroundings, onOutput)).code;
    }

    async start(args: readonly string[], { cwd, env }: Surroundings, onOutput: OnOutput): Promise<RunningCli> {
        await this.plugins.prepare({ cwd, env });
        const child = spawn("pulumi", args, {
            cwd,
            env: {
                ...env,
                ...this.variables,
                ...this.plugins.variables,
                PULUMI_DEBUG_LANGUAGES: `nodejs:${this.host.port}`,
                ...SPARING,
            },
            stdio: ["ignore", "pipe", "pipe"],
        });
        child.stdout.setEncoding("utf8").on("data", (text: string) => onOutput(text, false));
        child.stderr.setEncoding("utf8").on("data", (text: string) => onOutput(text, true));
        const code = new Promise<number>((resolve, reject) => {
            child.once("error", reject);
            child.once("close", (exit) => resolve(exit ?? 1));
        });
        return { code, kill: () => void child.kill("SIGKILL") };
    }

    /** Ends the plugins and the language host. */
    stop(): void {
        process.off("exit", this.#end);
        this.#end();
        this.host.close();
    }
}
