import { execFileSync } from "node:child_process";

/**
 * Kills a process and all its descendants at once. An engine starts its plugins in other process groups, so parents are
 * followed.
 */
export function killTree(root: number): void {
    const pairs = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/).map(Number));
    const pids = [root];
    for (const parent of pids)
        pids.push(...pairs.flatMap(([pid, of]) => (of === parent && pid !== undefined ? [pid] : [])));
    for (const pid of pids) {
        try {
            process.kill(pid, "SIGKILL");
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
        }
    }
}
