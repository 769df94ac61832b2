import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as ccm from "./ccm";
import * as nlb from "./ccm-nlb";
import { exceeded, type Measurement, meetsGoal, regressions, renderDocument, renderTable } from "./report";

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

test("CCM's call counts for a CLB follow the examples in its code", () => {
    expect(
        [
            [2, 3],
            [5, 40],
            [5, 41],
            [5, 100],
        ].map(([ports = 0, members = 0]) => ccm.create({ ports, members })),
    ).toStrictEqual([12, 24, 29, 34]);
    const size = { ports: 2, members: 3 };
    expect([
        ccm.resync(size),
        ccm.membership(size),
        ccm.listenerAnnotation(size),
        ccm.instanceAnnotation(size),
        ccm.protocolChange(size),
        ccm.remove(size),
    ]).toStrictEqual([5, 7, 8, 7, 9, 8]);
    expect(ccm.podMembership({ ports: 1, members: 101 })).toBe(7);
});

test("CCM's call counts for an NLB follow the recordings", () => {
    const size = { ports: 1, members: 3 };
    expect([
        nlb.create(size),
        nlb.resync(size),
        nlb.listenerAnnotation(size),
        nlb.instanceAnnotation(size),
        nlb.protocolChange(size),
        nlb.remove(size),
        nlb.membership(size),
    ]).toStrictEqual([10, 4, 7, 6, 14, 11, 6]);
    expect(nlb.create({ ports: 5, members: 3 })).toBe(34);
    expect(nlb.create({ ports: 1, members: 200 })).toBe(18);
    expect(nlb.podMembership({ ports: 1, members: 101 })).toBe(8);
});

test("an action above its limit is named", () => {
    const actions = { AddServersToServerGroup: 6 };
    expect(
        exceeded(
            one({
                operation: "create",
                actions,
                limits: { AddServersToServerGroup: 5, RemoveServersFromServerGroup: 0 },
            }),
        ),
    ).toStrictEqual(["create: 6 × AddServersToServerGroup, at most 5"]);
    expect(exceeded(one({ actions, limits: { AddServersToServerGroup: 6 } }))).toStrictEqual([]);
    expect(exceeded(one({ actions }))).toStrictEqual([]);
});

test("no stored measurement exceeds its limits, and one has 200 backends", () => {
    const baseline = JSON.parse(fs.readFileSync("bench/calls/baseline.json", "utf8")) as Measurement[];
    expect(baseline.flatMap(exceeded)).toStrictEqual([]);
    expect(
        baseline.find(({ operation }) => operation === "NLB: create, P = 1, N = 200")?.actions[
            "AddServersToServerGroup"
        ],
    ).toBe(5);
});

test("a goal is CCM's count, zero or absent", () => {
    expect(meetsGoal(one())).toBe(true);
    expect(meetsGoal(one({ calls: 8 }))).toBe(false);
    expect(meetsGoal(one({ goal: "zero", calls: 1 }))).toBe(false);
    expect(meetsGoal(one({ goal: "zero", calls: 0 }))).toBe(true);
    expect(meetsGoal(one({ goal: "none", calls: 70 }))).toBe(true);
});

test("every increase is named, and every new or removed entry", () => {
    expect(regressions([one()], [one()])).toStrictEqual([]);
    expect(regressions([one({ calls: 6, writes: 1, plugin: 4 })], [one()])).toStrictEqual([]);
    expect(regressions([one({ calls: 8, writes: 3, plugin: 6 })], [one()])).toStrictEqual([
        "delete: 8 calls, 7 before",
        "delete: 3 writes, 2 before",
        "delete: 6 calls of the plugin, 5 before",
    ]);
    expect(regressions([one()], [one({ operation: "create" })])).toStrictEqual([
        "delete: not in the baseline",
        "create: no longer measured",
    ]);
});

test("the table shows shares, ratio and goal", () => {
    const row = renderTable([one({ calls: 14 })])
        .split("\n")
        .at(-2);
    expect(row).toBe("| delete | 14 | 2 | 5 | 9 | 7 | 2.00 | ≤ 7 | **no** |");
});

test("docs/internal/api-calls.md matches the baseline (make bench-calls)", () => {
    const baseline = JSON.parse(fs.readFileSync("bench/calls/baseline.json", "utf8")) as Measurement[];
    expect(fs.readFileSync("docs/internal/api-calls.md", "utf8")).toBe(renderDocument(baseline));
});
