import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { mapLimited } from "./pool";

test("results stand in the items' order and at most so many run at a time", async () => {
    let running = 0;
    let most = 0;
    const results = await mapLimited([5, 1, 4, 2, 3, 0], 2, async (turns) => {
        most = Math.max(most, ++running);
        for (let i = 0; i < turns; i++) await turn();
        running--;
        return turns * 10;
    });
    expect(results).toStrictEqual([50, 10, 40, 20, 30, 0]);
    expect(most).toBe(2);
});

test("after a failure nothing more is started", async () => {
    const started: number[] = [];
    const work = mapLimited([0, 1, 2, 3, 4, 5], 2, async (item) => {
        started.push(item);
        await turn();
        if (item === 1) throw new Error("one");
    });
    await expect(work).rejects.toThrow(/one/);
    await turn();
    assert.ok(started.length <= 4, String(started));
});

test("no items, no work", async () => {
    expect(await mapLimited([], 4, () => Promise.reject(new Error("called")))).toStrictEqual([]);
});
