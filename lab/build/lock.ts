import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { identify, isAlive, type Identity } from "./identity";
import { heartbeat, type Report } from "./progress";

/**
 * Creates `file` with `text`, whole from the first moment on. False if it is there already.
 */
export async function createOnce(file: string, text: string): Promise<boolean> {
    await mkdir(dirname(file), { recursive: true });
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, text, { mode: 0o600 });
    try {
        await link(draft, file);
        return true;
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        return false;
    } finally {
        await rm(draft, { force: true });
    }
}

/**
 * Runs `work` while holding the lock `file`, and waits as long as another living process holds it. A lock whose holder
 * has died is taken over. Two processes that wait may both take over a dead lock, so `work` must be safe to run twice
 * at the same time: the lock saves work, it does not guard data.
 */
export async function withLock<T>(file: string, report: Report, work: () => Promise<T>): Promise<T> {
    const me = JSON.stringify(identify(process.pid));
    let stopTelling: (() => void) | undefined;
    try {
        while (!(await createOnce(file, me))) {
            const holder = await readHolder(file);
            if (holder === undefined || !isAlive(holder)) {
                await rm(file, { force: true });
                continue;
            }
            if (stopTelling === undefined) {
                report(`process ${holder.pid} is at it already; waiting for it`);
                stopTelling = heartbeat(report, 15, (elapsed) => `waiting for process ${holder.pid}, ${elapsed} s`);
            }
            await sleep(250);
        }
    } finally {
        stopTelling?.();
    }
    try {
        return await work();
    } finally {
        await rm(file, { force: true });
    }
}

async function readHolder(file: string): Promise<Identity | undefined> {
    try {
        return JSON.parse(await readFile(file, "utf8")) as Identity;
    } catch {
        return undefined;
    }
}
