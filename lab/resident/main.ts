/** Process of a resident lab, which runs command lines of the CLI in turn until its parent stops it or ends. */
import { AsyncLocalStorage } from "node:async_hooks";
import * as fs from "node:fs";
import { usesRealPlugins } from "../pulumi/install";
import { InlineCli } from "./inline-cli";
import { programIn } from "./program";
import type { Answer, Request } from "./request";
import { compileTypescript } from "./typescript";
import { replaceVariables } from "./variables";

const LATE =
    "The program of an earlier operation went on after its end, and what it did then was lost. " +
    "Remedy: export the promise that it makes, or leave the session without a resident CLI";

interface Operation {
    /** Set when the operation before it has failed. */
    readonly followsFailure: boolean;
    hasFailed: boolean;
}

/** The operation whose program has made a promise. */
const origins = new AsyncLocalStorage<Operation>();
/** Current operation, or else the last. */
let current: Operation = { followsFailure: false, hasFailed: false };
/** Failure that nothing waited for, in an operation that has succeeded or after it. */
let late: unknown;

const answer = (message: Answer): void => void process.send?.(message);

async function start(): Promise<void> {
    const env = { ...process.env };
    const cli = await InlineCli.start({
        // A real plugin takes its variables when it starts.
        names: usesRealPlugins(env) ? ["pulumi-nodejs"] : ["alicloud", "kubernetes", "pulumi-nodejs"],
        program: (pwd, entry) => origins.run(current, () => programIn(pwd, entry)),
        onLine: (line) => answer({ output: `${line}\n`, isError: false }),
    });
    compileTypescript();
    process.stdout.write = passOn(false);
    process.stderr.write = passOn(true);
    const run = async ({ args, cwd, env: variables }: Request): Promise<number> => {
        if (late !== undefined) throw new Error(`${LATE}: ${String(late)}`);
        const operation: Operation = { followsFailure: current.hasFailed, hasFailed: false };
        current = operation;
        const surroundings = { ...env, ...variables, PWD: cwd };
        fs.accessSync(cwd);
        replaceVariables(surroundings);
        process.chdir(cwd);
        const code = await cli.run(args, { cwd, env: surroundings }, (output, isError) => answer({ output, isError }));
        operation.hasFailed = code !== 0;
        // A refused program may have promises that fail later and concern nobody.
        if (operation.hasFailed) late = undefined;
        return code;
    };
    process.on("message", (request: Request) => {
        void run(request)
            .catch((error: unknown) => {
                const output = `error: ${error instanceof Error ? error.message : String(error)}\n`;
                answer({ output, isError: true });
                return 1;
            })
            .then((code) => answer({ code }));
    });
    answer({ code: 0 });
}

function passOn(isError: boolean) {
    return (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
        answer({ output: typeof chunk === "string" ? chunk : Buffer.from(chunk).toString(), isError });
        const done = rest.at(-1);
        if (typeof done === "function") (done as () => void)();
        return true;
    };
}

const noteLate = (operation: Operation, reason: unknown): void => {
    if (operation.hasFailed || (operation.followsFailure && isCallToEndedEngine(reason))) return;
    late ??= reason;
};

/**
 * True for a call of the SDK that an ended engine did not answer. A refused program makes some that fail during the
 * next operation, and their connection does not know which program made them.
 */
const isCallToEndedEngine = (reason: unknown): boolean =>
    reason instanceof Error && reason.message === "Resource monitor is terminating";

process.on("unhandledRejection", (reason) => noteLate(current, reason));
// The SDK's listener attributes every rejection to the running program, so those of an earlier program are filtered
// out.
const emit = process.emit.bind(process) as (event: string, ...args: unknown[]) => boolean;
Object.assign(process, {
    emit(event: string, ...args: unknown[]): boolean {
        const origin = event === "unhandledRejection" ? origins.getStore() : undefined;
        if (origin === undefined || origin === current) return emit(event, ...args);
        noteLate(origin, args[0]);
        return true;
    },
});
process.on("SIGTERM", () => process.exit(0));
process.on("disconnect", () => process.exit(0));
start().catch((error: unknown) => {
    process.stderr.write(`the resident CLI could not start: ${String(error)}\n`);
    process.exit(1);
});
