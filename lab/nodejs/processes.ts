import { type ChildProcess, spawn } from "node:child_process";

/** How a process has ended. */
export interface Ending {
    /** Exit code; undefined if a signal ended it. */
    readonly code?: number;
    readonly signal?: NodeJS.Signals;
}

/** A process that the host has started. */
export interface Started {
    readonly child: ChildProcess;
    /** Resolves when it has ended and all of its output has been read. */
    readonly ended: Promise<Ending>;
}

const running = new Set<ChildProcess>();

/**
 * Starts a process at the head of a group of its own, so that Ctrl-C in a terminal reaches the CLI only, and so that it
 * can be ended together with what it has started.
 *
 * @param stdio what it does with its output: as that of the host, or for the host to read
 */
export function start(
    command: string,
    args: readonly string[],
    { cwd, env, stdio }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly stdio: "inherit" | "pipe" },
): Started {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", stdio, stdio] });
    running.add(child);
    const ended = new Promise<Ending>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code, signal) => resolve(code === null ? { signal: signal ?? "SIGKILL" } : { code }));
    }).finally(() => running.delete(child));
    return { child, ended };
}

/** Ends a process and what it has started. */
export function end(child: ChildProcess): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
        process.kill(-child.pid, "SIGKILL");
    } catch {
        child.kill("SIGKILL"); // It has not become the head of its group yet.
    }
}

/** Ends all processes that still run. */
export function endAll(): void {
    for (const child of running) end(child);
}
