import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { createRequire } from "node:module";
import * as path from "node:path";
import { setTimeout } from "node:timers/promises";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import { loadProject, programEntry } from "../cli/project";
import { LocalServer } from "../monitor";
import { ROOT } from "../plugin";

/** Programs are what their files say, which no import statement names. */
const load = createRequire(__filename);

/** A program as the SDK runs it inside a process: what it gives back are the outputs of the stack. */
export type InlineProgram = () => Promise<unknown>;

/** A class that runs programs in this process; the SDK's Automation API uses it and does not export it. */
interface LanguageServerModule {
    readonly LanguageServer: new (program: InlineProgram) => Readonly<Record<string, (...args: unknown[]) => unknown>>;
}

/**
 * A language host that runs a program inside this process, as the Automation API's does.
 *
 * @param within runs what the SDK does for a program; by default just so
 */
export function serveProgram(
    program: InlineProgram,
    within: (run: () => unknown) => unknown = (run) => run(),
): Promise<LocalServer> {
    const { LanguageServer } = load("@pulumi/pulumi/automation/server") as LanguageServerModule;
    const language = new LanguageServer(program);
    const methods = ["run", "getRequiredPlugins", "getPluginInfo"];
    const service = Object.fromEntries(
        methods.map((name) => [name, (...args: unknown[]) => within(() => language[name]?.(...args))]),
    );
    return new LocalServer().add(LanguageRuntimeService, service).listen();
}

/**
 * The program of the project in the working folder, read anew; the package and the SDK stay as they were loaded. The SDK waits for what is exported and registered. A process goes
 * on until nothing is left to wait for, which is followed here as far as requests over HTTP go: a program need not export the promise that reads a cluster and then makes a resource.
 */
export async function projectProgram(): Promise<unknown> {
    const { pwd, main } = programEntry(loadProject(process.cwd()));
    process.chdir(pwd);
    const entry = load.resolve(path.resolve(pwd, main));
    forget(path.dirname(entry));
    const exported: unknown = load(entry);
    const outputs = await (typeof exported === "function" ? (exported as () => unknown)() : exported);
    await quiet();
    return outputs;
}

/** HTTP requests of this process that are under way; the engine and the SDK make none, they speak HTTP/2. */
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
    const packages = path.join(ROOT, "node_modules") + path.sep;
    for (const file of Object.keys(load.cache))
        if (file.startsWith(folder + path.sep) && !file.startsWith(packages)) delete load.cache[file];
}
