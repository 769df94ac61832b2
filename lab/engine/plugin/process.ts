import { spawn, spawnSync, type ChildProcess, type StdioOptions } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";

/** Oldest major version of Node that runs programs and packs. */
const OLDEST_NODE = 22;

/** Finds an executable on a search path. */
export function findOnPath(name: string, path: string = process.env["PATH"] ?? ""): string | undefined {
    for (const dir of path.split(delimiter)) {
        if (dir === "") continue;
        const file = join(dir, name);
        try {
            accessSync(file, constants.X_OK);
            return file;
        } catch {
            continue;
        }
    }
    return undefined;
}

let searchPath: string | undefined;

/** The search path for children: unchanged if its `node` is recent enough, else with this process's own Node first. */
function childPath(): string {
    if (searchPath === undefined) {
        const path = process.env["PATH"] ?? "";
        const node = findOnPath("node", path);
        const own = dirname(process.execPath);
        const same = node !== undefined && realpathSync(node) === realpathSync(process.execPath);
        const recent =
            same ||
            (node !== undefined &&
                Number(/^v(\d+)/.exec(spawnSync(node, ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1] ?? 0) >=
                    OLDEST_NODE);
        searchPath = recent ? path : `${own}${delimiter}${path}`;
    }
    return searchPath;
}

/** Root of the repository, the same for the sources and for `dist`. */
export const ROOT = dirname(require.resolve("ack-loadbalancer/package.json"));

/** Children end by a signal, before Node would write what it has compiled: a preloaded script writes it meanwhile. */
function nodeOptions(): Record<string, string> {
    if (process.env["NODE_COMPILE_CACHE"] === undefined) return {};
    const preload = `--require ${JSON.stringify(join(ROOT, "dist/lab/engine/plugin/compile-cache.js"))}`;
    return { NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} ${preload}`.trim() };
}

/** Environment for children: the engine's own with the given changes. */
export function childEnvironment(changes: Record<string, string>): NodeJS.ProcessEnv {
    return { ...process.env, ...nodeOptions(), PATH: childPath(), ...changes };
}

const running = new Set<ChildProcess>();

export function hasEnded(child: ChildProcess): boolean {
    return child.exitCode !== null || child.signalCode !== null;
}

/** Ends a child and everything it has started: it leads its own process group. */
export function endProcess(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
    if (child.pid === undefined || hasEnded(child)) return;
    try {
        process.kill(-child.pid, signal);
    } catch {
        child.kill(signal);
    }
}

/** Ends all children at once; for the last moment of this process. */
export function endAllProcesses(): void {
    for (const c of running) endProcess(c);
}

/** Leaves a child to whoever started it: {@link endAllProcesses} does not end it. */
export function keepRunning(child: ChildProcess): void {
    running.delete(child);
}

/**
 * Starts a child in a process group of its own, so that a Ctrl-C in the terminal reaches the engine only.
 *
 * @param hasChannel whether it is a Node process that is sent messages
 */
export function startProcess(
    command: string,
    args: readonly string[],
    cwd: string,
    env: NodeJS.ProcessEnv,
    hasChannel = false,
): ChildProcess {
    const stdio: StdioOptions = ["ignore", "pipe", "pipe", ...(hasChannel ? (["ipc"] as const) : [])];
    const child = spawn(command, args, { cwd, env, detached: true, stdio });
    running.add(child);
    child.once("close", () => running.delete(child));
    child.once("error", () => running.delete(child));
    return child;
}

/** Receives what children print, line by line. */
export type LineSink = (line: string, stream: "stdout" | "stderr") => void;

/** Passes on the lines of both output streams. */
export function forwardLines(child: ChildProcess, sink: LineSink): void {
    for (const stream of ["stdout", "stderr"] as const) {
        const source = child[stream];
        if (source) createInterface({ input: source }).on("line", (l) => sink(l, stream));
    }
}

/** A plugin that serves gRPC. */
export interface RunningPlugin {
    address: string;
    child: ChildProcess;
    /** Ends the process, and waits for its end. */
    stop(): Promise<void>;
}

/**
 * Starts a plugin and waits for the port it prints as the first line.
 * @throws Error "could not read plugin port" if it ends before
 */
export function startPlugin(
    command: string,
    args: readonly string[],
    cwd: string,
    env: NodeJS.ProcessEnv,
    sink: LineSink,
    hasChannel = false,
): Promise<RunningPlugin> {
    return new Promise((done, failed) => {
        const child = startProcess(command, args, cwd, env, hasChannel);
        const ended = new Promise<void>((r) => child.once("close", () => r()));
        const stop = (): Promise<void> => {
            endProcess(child);
            return ended;
        };
        let port: string | undefined;
        child.once("error", failed);
        // "close" comes after all output has been read, so the lines that explain a failure are passed on first.
        child.once("close", () => {
            if (port === undefined) failed(new Error("io: read/write on closed pipe"));
        });
        forwardLines(child, (line, stream) => {
            if (stream === "stdout" && port === undefined) {
                port = line.trim();
                if (!/^\d+$/.test(port)) {
                    endProcess(child);
                    failed(new Error(`plugin printed a non-numeric port: ${port}`));
                    return;
                }
                done({ address: `127.0.0.1:${port}`, child, stop });
            } else sink(line, stream);
        });
    });
}
