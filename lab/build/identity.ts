import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Process, distinguished from a later process that was given the same number. `started` is the start time as the system
 * words it, and it is compared, never parsed.
 */
export interface Identity {
    pid: number;
    started: string;
}

/**
 * Start time of a process, or undefined if there is none (a zombie counts as none: it holds nothing any more,
 * and where no process reaps orphans it would stay for ever).
 */
export function startTime(pid: number): string | undefined {
    return process.platform === "linux" ? startTimeFromProc(pid) : startTimeFromPs(pid);
}

function startTimeFromProc(pid: number): string | undefined {
    let stat: string;
    try {
        stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    } catch {
        return undefined;
    }
    // The name in parentheses may itself hold spaces and parentheses: fields count from the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    // Ticks are counted from the boot, so they need the boot's id beside them.
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[19]}`;
}

/** The way for systems without /proc (macOS). */
export function startTimeFromPs(pid: number): string | undefined {
    try {
        const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
            encoding: "utf8",
            stdio: ["ignore", "pipe", "ignore"],
            env: { ...process.env, LC_ALL: "C" },
        }).trim();
        const [state, ...started] = line.split(/\s+/);
        return state === undefined || state === "" || state.startsWith("Z") ? undefined : started.join(" ");
    } catch {
        return undefined;
    }
}

/**
 * Identity of a running process.
 * @throws Error if there is no such process.
 */
export function identify(pid: number): Identity {
    const started = startTime(pid);
    if (started === undefined) throw new Error(`no process ${pid}`);
    return { pid, started };
}

/** Reports whether exactly this process still runs. */
export function isAlive(process: Identity): boolean {
    return startTime(process.pid) === process.started;
}

/** Sends a signal, unless the process has gone or its number belongs to another process by now. */
export function signal(target: Identity, name: NodeJS.Signals): void {
    if (!isAlive(target)) return;
    try {
        process.kill(target.pid, name);
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
}

/** Waits until the process has gone, and returns false if it is still there after `milliseconds`. */
export async function waitForEnd(target: Identity, milliseconds: number): Promise<boolean> {
    const end = Date.now() + milliseconds;
    while (isAlive(target)) {
        if (Date.now() >= end) return false;
        await sleep(20);
    }
    return true;
}

/** Asks a process to end, and after `grace` milliseconds ends it. Returns when it has gone. */
export async function terminate(target: Identity, grace: number): Promise<void> {
    signal(target, "SIGTERM");
    if (await waitForEnd(target, grace)) return;
    signal(target, "SIGKILL");
    if (!(await waitForEnd(target, 10_000))) throw new Error(`process ${target.pid} does not end`);
}
