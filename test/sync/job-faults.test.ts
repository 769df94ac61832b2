/** Faults of an NLB's jobs and calls: in the end the sync controller has the members of the model, each once. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Fault } from "../../lab/cloud/core";
import { endpoint, podSpec, slice } from "../support/sync-world";
import { even, nodesOf, REST, RIG_GROUPS, SyncRig } from "../support/sync-rig";
import type { RigReplica } from "../support/rig-replica";

const ADDRESSES = podSpec({ serverGroup: { id: RIG_GROUPS.addresses, type: "Ip" }, drainSeconds: 0 });

let rig: SyncRig;
let replica: RigReplica;

beforeEach(async () => {
    rig = await SyncRig.create();
    replica = rig.replica();
});

afterEach(() => {
    rig.heal();
    expect(rig.idleFaults).toStrictEqual([]);
});

const addresses = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, index) => `10.0.0.${from + index + 1}`);

const pods = (from: number, to: number) => slice(...addresses(from, to).map((ip) => endpoint(ip, "n0")));

const NLB: readonly (readonly [string, Fault])[] = [
    ["a job fails", { action: "AddServersToServerGroup", jobFails: true, times: 2 }],
    ["the job of the second batch fails", { action: "AddServersToServerGroup", jobFails: true, skip: 1, times: 1 }],
    ["a job to remove fails", { action: "RemoveServersFromServerGroup", jobFails: true, times: 2 }],
    ["the group is locked", { action: "*", product: "Nlb", code: "Conflict.Lock", times: 9 }],
    ["the list of jobs is throttled", { action: "ListAsynJobs", code: "Throttling.User", times: 9 }],
    ["jobs may not be listed", { action: "ListAsynJobs", code: "Forbidden.RAM", status: 403 }],
    ["the answer is lost after the effect", { action: "AddServersToServerGroup", dropAfterEffect: true, times: 1 }],
    ["writes are throttled", { action: "AddServersToServerGroup", code: "Throttling.User", times: 9 }],
];

for (const [what, fault] of NLB) {
    test(`NLB: ${what}`, async () => {
        rig.fault(fault);
        replica.cluster(ADDRESSES, nodesOf(1), pods(0, 45));
        await replica.settle(REST);
        expect(rig.addressWeights()).toStrictEqual(even(addresses(0, 45)));
        rig.heal();
        rig.fault(fault);
        replica.put("slice", pods(3, 50));
        await replica.settle(REST);
        expect(rig.addressWeights()).toStrictEqual(even(addresses(3, 50)));
        expect(replica.reason).toBe("Synced");
    });
}

test("throttled status calls of a job do not fail a sync", async () => {
    replica.cluster(ADDRESSES, nodesOf(1), pods(0, 5));
    await replica.settle();
    rig.fault({ action: "ListAsynJobs", code: "Throttling.User", times: 9 });
    replica.statuses.length = 0;
    replica.put("slice", pods(0, 6));
    await replica.settle();
    expect(rig.addressWeights()).toStrictEqual(even(addresses(0, 6)));
    expect(replica.statuses.map(({ conditions }) => conditions?.[0]?.reason)).toStrictEqual(["Synced"]);
    expect(rig.calls().filter((call) => call === "AddServersToServerGroup")).toHaveLength(2);
});
