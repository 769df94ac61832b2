import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { writeAtomic } from "./files";

/** One lock file's content. */
interface LockContent {
    pid: number;
    username: string;
    hostname: string;
    timestamp: string;
}

function lockFiles(folder: string): string[] {
    return existsSync(folder)
        ? readdirSync(folder)
              .filter((f) => f.endsWith(".json"))
              .sort()
        : [];
}

function lockedError(folder: string, others: string[], url: string): Error {
    const lines = others.map((f) => {
        const c = JSON.parse(readFileSync(join(folder, f), "utf8")) as LockContent;
        return `  ${url}/${f}?no_tmp_dir=true: created by ${c.username}@${c.hostname} (pid ${c.pid}) at ${c.timestamp}`;
    });
    return new Error(
        `the stack is currently locked by ${others.length} lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n${lines.join("\n")}`,
    );
}

/**
 * Takes the lock of a stack: look, write, look again, so that of two that start at once at least one gives up.
 * @param url the folder as shown in the error
 * @returns the function that gives the lock back
 * @throws Error if another process has locked the stack
 */
export function takeLock(folder: string, url: string): () => void {
    mkdirSync(folder, { recursive: true });
    const before = lockFiles(folder);
    if (before.length > 0) throw lockedError(folder, before, url);
    const mine = `${randomUUID()}.json`;
    const content: LockContent = {
        pid: process.pid,
        username: userInfo().username,
        hostname: hostname(),
        timestamp: new Date().toISOString(),
    };
    writeAtomic(join(folder, mine), JSON.stringify(content));
    const release = () => rmSync(join(folder, mine), { force: true });
    const others = lockFiles(folder).filter((f) => f !== mine);
    if (others.length > 0) {
        release();
        throw lockedError(folder, others, url);
    }
    return release;
}

/** Removes all locks of a stack, also those of other processes. */
export function clearLocks(folder: string): void {
    for (const f of lockFiles(folder)) rmSync(join(folder, f), { force: true });
}
