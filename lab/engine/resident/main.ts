/** The process of a resident CLI: one command line after the other, until its parent ends it or goes. */
import * as path from "node:path";
import { main } from "../cli/main";
import { findProjectFile, loadProject } from "../cli/project";
import { endAllProcesses, wantsTypescript } from "../plugin";
import { keepPlugins } from "./plugins";
import { projectProgram, serveProgram } from "./program";
import type { Answer, Request } from "./request";

/** Commands that may run the program. */
const RUNS_PROGRAM = new Set(["preview", "up", "refresh", "destroy"]);

const LATE =
    "The program of an earlier operation went on after its end, and what it did then was lost. Remedy: export the promise that it makes, or leave the session without a resident CLI";

/** What has failed where nothing waited for it, in an operation that has succeeded or after it. */
let late: unknown;
/** How the last operation ended. */
let hasFailed = false;

const answer = (message: Answer): void => void process.send?.(message);

async function start(): Promise<void> {
    const folder = path.join(process.env["LAB_DIR"] ?? "", "resident");
    await keepPlugins(folder);
    process.env["PATH"] = `${folder}${path.delimiter}${process.env["PATH"] ?? ""}`;
    const client = (await serveProgram(projectProgram)).address;
    const env = { ...process.env };
    for (const stream of [process.stdout, process.stderr]) stream.write = passOn;
    const run = async ({ args, cwd }: Request): Promise<number> => {
        if (late !== undefined) throw new Error(`${LATE}: ${String(late)}`);
        hasFailed = false;
        process.env = { ...env, PWD: cwd };
        process.chdir(cwd);
        const [command = "", ...rest] = args;
        const isInside = RUNS_PROGRAM.has(command) && runsAsItIs(cwd);
        const code = await main(isInside ? [command, "--client", client, ...rest] : [...args]);
        hasFailed = code !== 0;
        // A refused program may have promises that fail later; they concern nobody.
        if (hasFailed) late = undefined;
        return code;
    };
    process.on("message", (request: Request) => {
        void run(request)
            .catch((error: unknown) => {
                answer({ output: `error: ${error instanceof Error ? error.message : String(error)}\n` });
                return 1;
            })
            .then((code) => answer({ code }));
    });
    answer({ code: 0 });
}

/** Sources in TypeScript are compiled by a hook of the program's own process. */
function runsAsItIs(folder: string): boolean {
    return findProjectFile(folder) !== undefined && !wantsTypescript(loadProject(folder).runtimeOptions);
}

function passOn(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
    answer({ output: typeof chunk === "string" ? chunk : Buffer.from(chunk).toString() });
    const done = rest.at(-1);
    if (typeof done === "function") (done as () => void)();
    return true;
}

process.on("unhandledRejection", (reason) => {
    if (!hasFailed) late ??= reason;
});
process.on("exit", endAllProcesses);
process.on("SIGTERM", () => process.exit(0));
process.on("disconnect", () => process.exit(0));
start().catch((error: unknown) => {
    process.stderr.write(`the resident CLI could not start: ${String(error)}\n`);
    process.exit(1);
});
