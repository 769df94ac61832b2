import assert from "node:assert/strict";
import * as fs from "node:fs";
import { test } from "node:test";
import * as ccm from "./ccm";
import { type Measurement, meetsGoal, regressions, renderDocument, renderTable } from "./report";

const one = (change: Partial<Measurement> = {}): Measurement => ({
    operation: "delete",
    goal: "ccm",
    calls: 7,
    writes: 2,
    plugin: 5,
    actions: { DeleteLoadBalancer: 1, DescribeLoadBalancerAttribute: 6 },
    ccm: 7,
    ...change,
});

test("CCM's call counts: the examples that its code gives", () => {
    assert.deepEqual(
        [
            [2, 3],
            [5, 40],
            [5, 41],
            [5, 100],
        ].map(([ports = 0, members = 0]) => ccm.create({ ports, members })),
        [12, 24, 29, 34],
    );
    const size = { ports: 2, members: 3 };
    assert.deepEqual(
        [ccm.resync(size), ccm.membership(size), ccm.listenerAnnotation(size), ccm.instanceAnnotation(size), ccm.protocolChange(size), ccm.remove(size)],
        [5, 7, 8, 7, 9, 8],
    );
    assert.equal(ccm.podMembership({ ports: 1, members: 101 }), 7);
});

test("a goal is CCM's price, or nothing at all, or none", () => {
    assert.equal(meetsGoal(one()), true);
    assert.equal(meetsGoal(one({ calls: 8 })), false);
    assert.equal(meetsGoal(one({ goal: "zero", calls: 1 })), false);
    assert.equal(meetsGoal(one({ goal: "zero", calls: 0 })), true);
    assert.equal(meetsGoal(one({ goal: "none", calls: 70 })), true);
});

test("every number that grew is named, and so is what came or went", () => {
    assert.deepEqual(regressions([one()], [one()]), []);
    assert.deepEqual(regressions([one({ calls: 6, writes: 1, plugin: 4 })], [one()]), []);
    assert.deepEqual(regressions([one({ calls: 8, writes: 3, plugin: 6 })], [one()]), [
        "delete: 8 calls, 7 before",
        "delete: 3 writes, 2 before",
        "delete: 6 calls of the plugin, 5 before",
    ]);
    assert.deepEqual(regressions([one()], [one({ operation: "create" })]), ["delete: not in the baseline", "create: no longer measured"]);
});

test("the table shows shares, ratio and goal", () => {
    const row = renderTable([one({ calls: 14 })])
        .split("\n")
        .at(-2);
    assert.equal(row, "| delete | 14 | 2 | 5 | 9 | 7 | 2.00 | ≤ 7 | **no** |");
});

test("docs/api-calls.md is what the baseline says (make bench-calls)", () => {
    const baseline = JSON.parse(fs.readFileSync("bench/calls/baseline.json", "utf8")) as Measurement[];
    assert.equal(fs.readFileSync("docs/api-calls.md", "utf8"), renderDocument(baseline));
});
