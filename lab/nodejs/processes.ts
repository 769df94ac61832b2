import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";

const running = new Set<ChildProcess>();

/**
 * Starts a process in a new process group: Ctrl-C in a terminal reaches the CLI only, and the process can be ended
 * together with its children.
 */
export function start(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn(command, args, { ...options, detached: true });
    running.add(child);
    return child.once("close", () => running.delete(child)).once("error", () => running.delete(child));
}

/** Exit code of a process, or the signal that ended it. @throws Error if it could not be started */
export function endOf(child: ChildProcess): Promise<number | NodeJS.Signals> {
    return new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code, signal) => resolve(code ?? signal ?? "SIGKILL"));
    });
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
