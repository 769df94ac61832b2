import { afterEach, beforeEach, expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { VirtualClock } from "../../../test/support/cloud-client";
import { FileLedger, ledgerFolder } from "./ledger";
import { SharedLimiter, stretched } from "./limiter";

let folder: string;

beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "ledger-"));
});

afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
});

const RATE = { calls: 3, perMs: 60_000 };

/** Limiters of so many processes on one ledger, on one virtual clock. */
function processes(count: number, clock: VirtualClock): SharedLimiter[] {
    return Array.from({ length: count }, () => new SharedLimiter(new FileLedger(folder, () => clock.now())));
}

test("several processes keep to one quota, and use all of it", async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const callers = processes(3, clock).flatMap((limiter) =>
        Array.from({ length: 4 }, async () => {
            await limiter.take("key", RATE, clock);
            times.push(clock.now());
        }),
    );
    await clock.run(Promise.all(callers));
    const kept = stretched(RATE).perMs;
    for (const [index, time] of times.entries())
        expect(time - (times[index - RATE.calls] ?? -Infinity)).toBeGreaterThanOrEqual(kept);
    // 12 calls are 4 windows of 3, the first of which waits for nothing; what a busy lock costs is milliseconds.
    expect(clock.now()).toBeLessThan(3 * kept + 1_000);
});

test("a window is stretched by a twentieth, or by what a call needs on its way", () => {
    expect(stretched({ calls: 90, perMs: 60_000 })).toEqual({ calls: 90, perMs: 63_000 });
    expect(stretched({ calls: 20, perMs: 1_000 })).toEqual({ calls: 20, perMs: 1_250 });
});

test("callers of one process go in the order in which they came", async () => {
    const clock = new VirtualClock();
    const [limiter] = processes(1, clock) as [SharedLimiter];
    const order: number[] = [];
    await clock.run(
        Promise.all(Array.from({ length: 8 }, (_, at) => limiter.take("key", RATE, clock).then(() => order.push(at)))),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test("what a process would have called later is not waited for when it dies", async () => {
    const clock = new VirtualClock();
    const [dying, other] = processes(2, clock) as [SharedLimiter, SharedLimiter];
    const abort = new AbortController();
    const waiting = Array.from({ length: 30 }, () => dying.take("key", RATE, clock, abort.signal).catch(() => "gone"));
    abort.abort(new Error("killed"));
    await clock.run(Promise.all(waiting));
    const before = clock.now();
    await clock.run(other.take("key", RATE, clock));
    expect(clock.now() - before).toBeLessThanOrEqual(stretched(RATE).perMs);
});

test("a call that is given up while it waits for its turn takes no place", async () => {
    const clock = new VirtualClock();
    const [limiter] = processes(1, clock) as [SharedLimiter];
    const rate = { calls: 1, perMs: 60_000 };
    await expect(limiter.take("key", rate, clock, AbortSignal.abort(new Error("given up")))).rejects.toThrow(
        "given up",
    );
    expect(limiter.wait("key", rate)).toBe(0);
});

test("a refusal of the cloud holds the action in all processes, and no longer than a minute", async () => {
    const clock = new VirtualClock();
    const [refused, other] = processes(2, clock) as [SharedLimiter, SharedLimiter];
    refused.hold("key", 5_000, clock);
    await clock.run(other.take("key", RATE, clock));
    expect(clock.now()).toBe(5_000);
    refused.hold("key", 3_600_000, clock);
    await clock.run(other.take("key", RATE, clock));
    expect(clock.now()).toBe(5_000 + 60_000);
    expect(other.wait("other key", RATE)).toBe(0);
});

test("a clock that is set back makes nobody wait", () => {
    let now = 10_000_000;
    const ledger = new FileLedger(folder, () => now);
    for (let call = 0; call < RATE.calls; call++) expect(ledger.take("key", RATE)).toBe(0);
    ledger.hold("key", 60_000);
    now = 0;
    expect(ledger.take("key", RATE)).toBe(0);
});

test("a lock that a dead process has left is broken, a young one is waited for", () => {
    const ledger = new FileLedger(folder);
    expect(ledger.take("key", RATE)).toBe(0);
    const [page = ""] = fs.readdirSync(folder);
    const lock = path.join(folder, `${page}.lock`);
    fs.writeFileSync(lock, "");
    expect(ledger.take("key", RATE)).toBeGreaterThan(0);
    const old = new Date(Date.now() - 60_000);
    fs.utimesSync(lock, old, old);
    expect(ledger.take("key", RATE)).toBe(0);
    expect(fs.existsSync(lock)).toBe(false);
});

test.each(["", "{", "[]", '{"calls": "many"}', '{"calls": [null, "x"], "heldUntil": {}}'])(
    "a page that holds %j counts as empty",
    (text) => {
        const ledger = new FileLedger(folder);
        ledger.take("key", RATE);
        const [page = ""] = fs.readdirSync(folder);
        fs.writeFileSync(path.join(folder, page), text);
        expect(ledger.take("key", RATE)).toBe(0);
    },
);

test("where the ledger cannot be written, the process keeps to the quota by itself", async () => {
    const file = path.join(folder, "file");
    fs.writeFileSync(file, "");
    const clock = new VirtualClock();
    const limiter = new SharedLimiter(new FileLedger(path.join(file, "below"), () => clock.now()));
    await clock.run(Promise.all(Array.from({ length: 4 }, () => limiter.take("key", RATE, clock))));
    expect(clock.now()).toBe(stretched(RATE).perMs);
});

test("a folder that others can write to is not used", () => {
    const own = ledgerFolder(folder);
    expect(own).toBeDefined();
    fs.chmodSync(own ?? "", 0o777);
    expect(ledgerFolder(folder)).toBeUndefined();
    expect(ledgerFolder(path.join(folder, "missing", "\0"))).toBeUndefined();
});

test("pages that have not been written to for an hour are forgotten when a process starts", () => {
    const own = ledgerFolder(folder) ?? "";
    const [old, young] = [path.join(own, "old"), path.join(own, "young")];
    for (const file of [old, young]) fs.writeFileSync(file, "{}");
    const before = new Date(Date.now() - 2 * 3_600_000);
    fs.utimesSync(old, before, before);
    ledgerFolder(folder);
    expect(fs.readdirSync(own)).toEqual(["young"]);
});
