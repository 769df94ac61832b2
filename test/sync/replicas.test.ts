/**
 * Several writers at a time: replicas of the controller, and a run. In any order of their calls, the members end as in
 * the model, each once.
 *
 * Requirements: D01.
 */
import { expect, jest, test } from "@jest/globals";
import * as fc from "fast-check";
import { createCloud, RateLimiter } from "../../provider/cloud";
import { groupApi } from "../../provider/resources/handlers/group";
import type * as Backends from "../../provider/resources/handlers/backends";
import { MARK, node, spec } from "../support/sync-world";
import { nodesOf, RIG_GROUPS, SyncRig, type Weights } from "../support/sync-rig";

let current: SyncRig;

/**
 * Mocks the handlers of a run. They open their client from the environment, which here leads to the rig, on its clock.
 */
function runHandlers(): typeof Backends {
    jest.doMock("../../provider/resources/handlers/group", () => ({
        connectGroup: () =>
            groupApi(
                createCloud({
                    region: "cn-hangzhou",
                    clock: current.clock,
                    limiter: new RateLimiter(),
                    transport: (request) => current.transport(request),
                }),
                "VServer",
            ),
    }));
    return jest.requireActual("../../provider/resources/handlers/backends");
}

const NODES = spec({ serverGroup: { id: RIG_GROUPS.nodes, type: "VServer" }, externalTrafficPolicy: "Cluster" });

const even = (from: number, to: number): Weights =>
    Object.fromEntries(
        Array.from({ length: to - from }, (_, index) => [`i-n${from + index}`, 100] as const).sort(([a], [b]) =>
            a < b ? -1 : 1,
        ),
    );

async function open(): Promise<SyncRig> {
    current = await SyncRig.create();
    return current;
}

/** Times of calls that follow from a seed, so that calls of several writers overlap in as many ways. */
function latencyOf(seed: number): () => number {
    const random = fc.sample(fc.integer({ min: 0, max: 2000 }), { seed, numRuns: 200 });
    let next = 0;
    return () => random[next++ % random.length] ?? 0;
}

for (const calls of [1, 2, 3, 4]) {
    test(`the other replica completes a change in batches after ${calls} calls of the leader`, async () => {
        const rig = await open();
        const [first, second] = [rig.replica(), rig.replica()];
        second.leads = false;
        first.cluster(NODES, nodesOf(5));
        await first.settle();
        first.callsLeft = calls;
        for (const replica of [first, second]) replica.cluster(NODES, nodesOf(55));
        await first.settle();
        expect(Object.keys(rig.nodeWeights(MARK))).toHaveLength(Math.min(55, 5 + 20 * calls));
        second.lead();
        await second.settle();
        expect(rig.nodeWeights()).toStrictEqual(even(0, 55));
        const after = rig.calls().length;
        await first.settle(600_000);
        expect(rig.calls()).toHaveLength(after);
    });
}

test("the leader's next read corrects a late call of a stopped replica", async () => {
    const rig = await open();
    const [late, leader] = [rig.replica(), rig.replica()];
    late.cluster(NODES, nodesOf(5));
    await late.settle();
    // The check of the lease is behind it, and the call goes out a minute later.
    rig.latency = () => 120_000;
    late.put("node", node("n5"));
    const sending = late.settle();
    while (rig.clock.slept.at(-1) !== 60_000) await new Promise((wake) => setImmediate(wake));
    late.leads = false;
    rig.latency = () => 0;
    leader.cluster(NODES, nodesOf(5));
    leader.lead();
    await Promise.all([sending, leader.settle()]);
    await leader.settle();
    leader.controller.resync();
    await leader.settle();
    expect(rig.nodeWeights()).toStrictEqual(even(0, 5));
});

test("two leaders with different views end with the right members after one resync", async () => {
    await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
            const rig = await open();
            rig.latency = latencyOf(seed);
            const [stale, fresh] = [rig.replica(), rig.replica()];
            stale.cluster(NODES, nodesOf(30));
            fresh.cluster(NODES, nodesOf(45).slice(3));
            await Promise.all([stale.settle(), fresh.settle()]);
            stale.leads = false;
            fresh.lead();
            await fresh.settle();
            expect(rig.nodeWeights()).toStrictEqual(even(3, 45));
        }),
        { numRuns: 25 },
    );
});

test("two clusters in one user-managed group each keep only their own members", async () => {
    await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
            const rig = await open();
            rig.latency = latencyOf(seed);
            const joined = (mark: string) => ({
                ...NODES,
                serverGroup: { ...NODES.serverGroup, userManaged: true },
                ownershipMark: mark,
            });
            const OTHER = MARK.replace(/[^/]+$/, "c-other");
            const userManagedGroups = [`shop/${RIG_GROUPS.nodes}`];
            const here = rig.replica({ clusterId: "c1", userManagedGroups });
            const there = rig.replica({ clusterId: "c-other", userManagedGroups });
            here.cluster(joined(MARK), nodesOf(25));
            there.cluster(joined(OTHER), nodesOf(60).slice(30));
            await rig.clock.run(Promise.all([here.controller.queue.settled(), there.controller.queue.settled()]));
            expect([rig.nodeWeights(MARK), rig.nodeWeights(OTHER)]).toStrictEqual([even(0, 25), even(30, 60)]);
            for (const gone of nodesOf(58).slice(30)) there.remove("node", gone);
            here.put("node", node("n25"));
            await rig.clock.run(Promise.all([here.controller.queue.settled(), there.controller.queue.settled()]));
            for (const { controller } of [here, there]) controller.resync();
            await rig.clock.run(Promise.all([here.controller.queue.settled(), there.controller.queue.settled()]));
            expect([rig.nodeWeights(MARK), rig.nodeWeights(OTHER)]).toStrictEqual([even(0, 26), even(58, 60)]);
            expect([here.reason, there.reason]).toStrictEqual(["Synced", "Synced"]);
        }),
        { numRuns: 15 },
    );
});

test("a run and the controller at the same time end with the same members in any order", async () => {
    const backends = runHandlers();
    const inputs = (from: number, to: number, sync: boolean): Parameters<typeof Backends.create>[0] => ({
        groups: {
            "tcp-80": {
                serverGroupId: RIG_GROUPS.nodes,
                description: MARK,
                port: 30080,
                backends: Object.fromEntries(Object.entries(even(from, to)).map(([id, weight]) => [id, { weight }])),
            },
        },
        sync,
    });
    await fc.assert(
        fc.asyncProperty(
            fc.integer(),
            fc.constantFrom("fills a group", "leaves it alone", "hands it over"),
            async (seed, what) => {
                const rig = await open();
                rig.latency = latencyOf(seed);
                const replica = rig.replica();
                // The run has read the cluster a moment ago: three nodes were still there, and others were not.
                const view = inputs(0, 30, true);
                let run = () => backends.create(view) as Promise<unknown>;
                if (what !== "fills a group") {
                    const before = inputs(0, 25, what === "leaves it alone");
                    const made = await rig.clock.run(backends.create(before));
                    const checked = await backends.check(before, view);
                    run = () => backends.update(made.id, made.outs, checked.inputs);
                }
                replica.cluster(NODES, nodesOf(45).slice(3));
                await rig.clock.run(Promise.all([run(), replica.controller.queue.settled()]));
                replica.controller.resync();
                await replica.settle(300_000);
                expect(rig.nodeWeights()).toStrictEqual(even(3, 45));
                expect(replica.reason).toBe("Synced");
            },
        ),
        { numRuns: 60 },
    );
});
