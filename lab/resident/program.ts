import { subscribe } from "node:diagnostics_channel";
import * as fs from "node:fs";
import type { ClientRequest } from "node:http";
import { createRequire } from "node:module";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ChannelOptions } from "@grpc/grpc-js";
import type { RunRequest, RunResponse } from "@pulumi/pulumi/proto/language_pb";
import { REPOSITORY } from "../repository";
import type { RunProgram } from "../nodejs/host";

/** Programs are what their files say, which no import statement names. */
const load = createRequire(__filename);

/** A program as the SDK runs it inside a process: what it gives back are the outputs of the stack. */
export type InlineProgram = () => Promise<unknown>;

type Run = (
    call: { request: RunRequest },
    done: (error: Error | undefined, response: RunResponse | undefined) => void,
) => unknown;

/** Class that runs programs in this process. The SDK's Automation API uses it and does not export it. */
interface LanguageServerModule {
    readonly LanguageServer: new (program: InlineProgram) => { readonly run: Run };
}

/**
 * Runs a program inside this process, as the Automation API does.
 *
 * @param program is told the folder that it is run in, and its entry there
 */
export function inline(program: (pwd: string, entry: string) => Promise<unknown>): RunProgram {
    const { LanguageServer } = load("@pulumi/pulumi/automation/server") as LanguageServerModule;
    // gRPC caches the state of an address per process: the SDK would get the failure of a former CLI with the same
    // port.
    const { grpcClientOptions } = load("@pulumi/pulumi/runtime/settings") as { grpcClientOptions: ChannelOptions };
    grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
    withoutTraces();
    return async (request, engine) => {
        request.setArgsList([engine]);
        const entry = request.getInfo()?.getEntryPoint() ?? ".";
        // Relative paths of a stack's configuration start there. The SDK reads it for each run, and gets it from nobody.
        process.env["PULUMI_NODEJS_ROOT_DIRECTORY"] = request.getInfo()?.getRootDirectory() ?? request.getPwd();
        let hasEnded = false;
        const server = new LanguageServer(async () => {
            const outputs = await program(request.getPwd(), entry);
            hasEnded = true;
            return outputs;
        });
        const error = await new Promise<Error | undefined>((resolve) => server.run({ request }, resolve));
        if (error !== undefined) return { error: error.message };
        // The SDK assumes that the engine reports a failed call: a program that did not reach its end must not count as
        // a program without resources.
        return hasEnded ? "done" : "reported";
    };
}

/**
 * The SDK writes down the stack of each promise, and sends each message for --debug to the engine, whether or not that
 * shows it. Together they take a quarter of a program's time.
 */
function withoutTraces(): void {
    Error.stackTraceLimit = 0;
    const log = load("@pulumi/pulumi/log") as { debug: () => Promise<void> };
    log.debug = () => Promise.resolve();
}

/** The program of the package, which programs load by its name. */
const STACK = path.join(REPOSITORY, "dist/components/stack");

/**
 * Reads the program of a folder again, while the package and the SDK stay loaded. The SDK waits for exports and
 * registrations. A process runs on while anything is pending, which is emulated here for HTTP requests: a program need
 * not export the promise that reads a cluster and then creates a resource.
 */
export async function programIn(pwd: string, main: string): Promise<unknown> {
    process.chdir(pwd);
    const entry = load.resolve(entryOf(path.resolve(pwd, main)));
    for (const folder of [path.dirname(entry), STACK]) forget(folder);
    const exported: unknown = load(entry);
    const outputs = await (typeof exported === "function" ? (exported as () => unknown)() : exported);
    await quiet();
    return outputs;
}

/** A folder without `main` in its package.json is its index.ts, as with ts-node. */
function entryOf(file: string): string {
    const index = path.join(file, "index.ts");
    return fs.existsSync(index) && !fs.existsSync(path.join(file, "index.js")) && !hasMain(file) ? index : file;
}

function hasMain(folder: string): boolean {
    try {
        const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) as { main?: string };
        return manifest.main !== undefined;
    } catch {
        return false;
    }
}

/** HTTP requests of this process that are under way. The SDK makes none to the engine, to which it speaks HTTP/2. */
let requests = 0;
subscribe("http.client.request.start", (message) => {
    requests++;
    (message as { request: ClientRequest }).request.once("close", () => requests--);
});

const QUIET_CHECKS = 3;
const QUIET_MS = 10;

async function quiet(): Promise<void> {
    for (let checks = 0; checks < QUIET_CHECKS; checks = requests === 0 ? checks + 1 : 0) await setTimeout(QUIET_MS);
}

function forget(folder: string): void {
    const packages = path.join(REPOSITORY, "node_modules") + path.sep;
    for (const file of Object.keys(load.cache))
        if (file.startsWith(folder + path.sep) && !file.startsWith(packages)) delete load.cache[file];
}
