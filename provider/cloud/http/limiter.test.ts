/** Requirements: D34. */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { RateLimiter } from "./limiter";
import { VirtualClock } from "../../../test/support/cloud-client";

test("every window has at most the calls that the rate allows, with the least waiting", async () => {
    await fc.assert(
        fc.asyncProperty(
            fc.integer({ min: 1, max: 7 }),
            fc.integer({ min: 1, max: 500 }),
            fc.integer({ min: 1, max: 40 }),
            async (calls, perMs, callers) => {
                const clock = new VirtualClock();
                const limiter = new RateLimiter();
                const times: number[] = [];
                const order: number[] = [];
                await clock.run(
                    Promise.all(
                        Array.from({ length: callers }, async (_, index) => {
                            await limiter.take("key", { calls, perMs }, clock);
                            times.push(clock.now());
                            order.push(index);
                        }),
                    ),
                );
                for (const [index, time] of times.entries()) {
                    const before = times[index - calls];
                    if (before !== undefined) expect(time - before).toBeGreaterThanOrEqual(perMs);
                }
                expect(Math.max(...times)).toBe(Math.floor((callers - 1) / calls) * perMs);
                expect(order).toStrictEqual([...order].sort((a, b) => a - b));
            },
        ),
        { numRuns: 60 },
    );
});

test("keys do not share an allowance", async () => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter();
    const rate = { calls: 1, perMs: 60_000 };
    await clock.run(Promise.all([limiter.take("a", rate, clock), limiter.take("b", rate, clock)]));
    expect(clock.now()).toBe(0);
});
