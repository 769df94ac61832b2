import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import * as os from "node:os";
import { servicesAtOnce, Waves } from "./waves";

const AT_ONCE = 32;

let usedUp: string[];

beforeEach(() => {
    jest.useFakeTimers();
    usedUp = [];
});

afterEach(() => {
    jest.useRealTimers();
});

/** Services that start and note it. */
function run(count: number) {
    const started: string[] = [];
    const lines: { line: string; stays: boolean }[] = [];
    const waves = new Waves(
        AT_ONCE,
        () => usedUp,
        (line, stays) => lines.push({ line, stays }),
    );
    for (let at = 0; at < count; at++) void waves.start(`s${at}`, {}).then(() => started.push(`s${at}`));
    return { waves, started, lines };
}

const settle = () => jest.advanceTimersByTimeAsync(0);

test.each<[steps: string | undefined, services: number]>([
    ["1", 8],
    ["8", 8],
    ["20", 20],
    ["64", 32],
    ["2147483647", 32],
])("an engine that takes %s steps at once has %d Services under way", (steps, services) => {
    expect(servicesAtOnce(steps)).toBe(services);
});

test.each([undefined, "", "-1", "many"])("without a number of steps (%s) it is that of the processors", (steps) => {
    expect(servicesAtOnce(steps)).toBe(servicesAtOnce(String(4 * os.availableParallelism())));
});

test("so many Services are under way at once, and the next starts when one is done", async () => {
    const { waves, started } = run(40);
    await settle();
    expect(started).toHaveLength(32);
    waves.done("s7");
    await settle();
    expect(started.at(-1)).toBe("s32");
    waves.done("s7");
    waves.done("never started");
    await settle();
    expect(started).toHaveLength(33);
});

test("a Service that waits for one which has not started yet gets it: one more starts where nothing has happened for 15 seconds", async () => {
    const { started } = run(40);
    await jest.advanceTimersByTimeAsync(14_000);
    expect(started).toHaveLength(32);
    await jest.advanceTimersByTimeAsync(7 * 15_000 + 2_000);
    expect(started).toHaveLength(40);
    expect(jest.getTimerCount()).toBe(1);
});

test("every Service starts, in order, whoever is done when", async () => {
    await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 90 }), fc.infiniteStream(fc.nat()), async (count, picks) => {
            const { waves, started } = run(count);
            const open: string[] = [];
            for (let done = 0; done < count;) {
                await settle();
                open.push(...started.slice(done + open.length));
                const pick = open.splice((picks.next().value as number) % open.length, 1)[0];
                waves.done(pick ?? "");
                done++;
            }
            expect(started).toEqual(Array.from({ length: count }, (_, at) => `s${at}`));
            expect(jest.getTimerCount()).toBe(0);
        }),
        { numRuns: 30 },
    );
});

test("while a quota is used up, a line says so every ten seconds, and one in a minute stays", async () => {
    usedUp = ["CreateVServerGroup"];
    const { waves, lines } = run(2);
    await settle();
    waves.done("s0");
    await jest.advanceTimersByTimeAsync(70_500);
    expect(lines.map(({ stays }) => stays)).toEqual([false, false, false, false, false, true, false]);
    expect(lines[0]?.line).toMatch(/^1 of 2 Services done, about 1 minute left; waiting/);
    waves.done("s1");
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lines).toHaveLength(7);
});

test("a run that waits for no quota says nothing", async () => {
    const { lines } = run(2);
    await jest.advanceTimersByTimeAsync(120_000);
    expect(lines).toEqual([]);
});
