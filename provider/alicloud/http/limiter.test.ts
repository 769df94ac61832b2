import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defaultRate, RateLimiter } from "./limiter";
import { VirtualClock } from "../testing";

test("in any window at most as many calls as the rate allows, and no more waiting than that needs", async () => {
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
                    if (before !== undefined)
                        assert.ok(
                            time - before >= perMs,
                            `call ${index} at ${time} ms, call ${index - calls} at ${before} ms`,
                        );
                }
                assert.equal(Math.max(...times), Math.floor((callers - 1) / calls) * perMs);
                assert.deepEqual(
                    order,
                    [...order].sort((a, b) => a - b),
                );
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
    assert.equal(clock.now(), 0);
});

test("published rates: CLB writes 90 a minute, NLB writes 200 a minute and reads 20 a second", () => {
    assert.deepEqual(defaultRate("slb", "AddVServerGroupBackendServers"), { calls: 90, perMs: 60_000 });
    assert.deepEqual(defaultRate("slb", "DescribeVServerGroupAttribute"), { calls: 3_000, perMs: 60_000 });
    assert.deepEqual(defaultRate("nlb", "AddServersToServerGroup"), { calls: 200, perMs: 60_000 });
    assert.deepEqual(defaultRate("nlb", "ListServerGroups"), { calls: 20, perMs: 1_000 });
});
