/** What the processes of one user on this machine have called: one file for each account and action, so that a run's processes, and runs side by side, keep to one quota. */
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { Rate } from "../../quotas";
import { parseJsonObject } from "../../net";

/** A record of calls that several limiters share. */
export interface Ledger {
    /**
     * Notes a call of `key`, if it may go now.
     *
     * @returns 0 if it may; otherwise milliseconds after which it is to be asked again
     */
    take(key: string, rate: Rate): number;
    /** Lets nobody call `key` for so many milliseconds: the cloud has just refused a call. */
    hold(key: string, ms: number): void;
    /** Milliseconds until the next call of `key` could go; nothing is noted. */
    wait(key: string, rate: Rate): number;
}

/** What is known of one key: times of calls in milliseconds since 1970, oldest first. */
interface Page {
    readonly calls: readonly number[];
    readonly heldUntil: number;
}

const EMPTY: Page = { calls: [], heldUntil: 0 };

/** A lock is held for the time of one small write; one that is older was left by a process that died, or by a machine that slept. Milliseconds. */
const STALE_LOCK_MS = 2_000;

/** The longest time for which an action is held, in milliseconds; longer than any server can ask for. */
const LONGEST_HOLD_MS = 60_000;

/** Least and most milliseconds after which a lock that another process has is tried again. */
const BUSY_MS = [2, 12] as const;

/**
 * A ledger in a folder.
 *
 * Calls are noted when they go, never ahead, so that nothing of a process that dies is waited for. It is an aid and never an obstacle: where the folder cannot be used,
 * every process keeps to the quota by itself.
 */
export class FileLedger implements Ledger {
    /**
     * @param folder that only this user can write to
     * @param now the day's time in milliseconds, which all processes share
     */
    constructor(
        private readonly folder: string,
        private readonly now: () => number = Date.now,
    ) {}

    take(key: string, rate: Rate): number {
        return this.#change(
            key,
            (page) => {
                const wait = this.#waitIn(page, rate);
                return wait > 0 ? { wait } : { wait, page: { ...page, calls: [...page.calls, this.now()] } };
            },
            rate,
        );
    }

    hold(key: string, ms: number): void {
        this.#change(key, (page) => ({
            wait: 0,
            page: { ...page, heldUntil: Math.max(page.heldUntil, this.now() + Math.min(ms, LONGEST_HOLD_MS)) },
        }));
    }

    wait(key: string, rate: Rate): number {
        return this.#waitIn(this.#read(this.#file(key)), rate);
    }

    #waitIn({ calls, heldUntil }: Page, { calls: most, perMs }: Rate): number {
        const oldest = calls.length < most ? undefined : calls.at(-most);
        return Math.max(0, oldest === undefined ? 0 : oldest + perMs - this.now(), heldUntil - this.now());
    }

    #file(key: string): string {
        return path.join(this.folder, createHash("sha256").update(key).digest("hex").slice(0, 32));
    }

    /** Reads a page under its lock and writes what follows. 0 where the folder cannot be used. */
    #change(key: string, next: (page: Page) => { wait: number; page?: Page }, rate?: Rate): number {
        const file = this.#file(key);
        const lock = `${file}.lock`;
        try {
            fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
            if (!acquire(lock)) return BUSY_MS[0] + Math.random() * (BUSY_MS[1] - BUSY_MS[0]);
            try {
                const { wait, page } = next(this.#read(file));
                if (page !== undefined) write(file, { ...page, calls: page.calls.slice(-(rate?.calls ?? Infinity)) });
                return wait;
            } finally {
                fs.rmSync(lock, { force: true });
            }
        } catch {
            return 0;
        }
    }

    #read(file: string): Page {
        let text: string;
        try {
            text = fs.readFileSync(file, "utf8");
        } catch {
            return EMPTY;
        }
        const { calls, heldUntil } = parseJsonObject(text) ?? {};
        const now = this.now();
        // What cannot be, because somebody has written to the file or set the clock back, counts for nothing: the worst that follows is a call that the cloud refuses once.
        const isTime = (time: unknown, latest: number): time is number => typeof time === "number" && time <= latest;
        return {
            calls: Array.isArray(calls) ? calls.filter((time) => isTime(time, now)) : [],
            heldUntil: isTime(heldUntil, now + LONGEST_HOLD_MS) ? heldUntil : 0,
        };
    }
}

function acquire(lock: string): boolean {
    for (const last of [false, true]) {
        try {
            fs.closeSync(fs.openSync(lock, "wx", 0o600));
            return true;
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
            const age = Date.now() - (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
            if (last || Math.abs(age) < STALE_LOCK_MS) return false;
            fs.rmSync(lock, { force: true });
        }
    }
    return false;
}

/** Replaces the file as a whole: a process that dies while it writes leaves the old one. */
function write(file: string, page: Page): void {
    const draft = `${file}.${process.pid}`;
    fs.writeFileSync(draft, JSON.stringify(page), { mode: 0o600 });
    fs.renameSync(draft, file);
}

/** Pages that nobody has written to for so many milliseconds say nothing any more, whatever the quota's window. */
const FORGOTTEN_MS = 3_600_000;

/** Removes pages of accounts and actions that have not been called for an hour, and what processes that died have left. */
function forget(folder: string): void {
    const limit = Date.now() - FORGOTTEN_MS;
    for (const name of fs.readdirSync(folder)) {
        const file = path.join(folder, name);
        const page = fs.statSync(file, { throwIfNoEntry: false });
        if (page !== undefined && page.mtimeMs < limit) fs.rmSync(file, { force: true });
    }
}

/** Folder of this user's ledger. Nobody else can write there: a folder of that name that belongs to another user, or that others can write to, is not used. */
export function ledgerFolder(temporary: string = os.tmpdir()): string | undefined {
    const user = process.getuid?.() ?? os.userInfo().username;
    const folder = path.join(temporary, `ack-loadbalancer-${user}`);
    try {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const found = fs.lstatSync(folder);
        const own = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
        if (!found.isDirectory() || !own) return undefined;
        forget(folder);
        return folder;
    } catch {
        return undefined;
    }
}
