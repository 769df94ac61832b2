/**
 * Faults of the cloud: in the end the sync controller has the members of the model, each once, and no user-managed
 * member is changed.
 */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { Fault } from "../../lab/cloud/core";
import { binding, MARK, node, service, spec } from "../support/sync-world";
import { LeaseLost } from "../../provider/sync/lease";
import { even, nodesOf, REST, RIG_GROUPS, SyncRig } from "../support/sync-rig";
import type { RigReplica } from "../support/rig-replica";

const NODES = spec({
    serverGroup: { id: RIG_GROUPS.nodes, type: "VServer" },
    externalTrafficPolicy: "Cluster",
});

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

const machines = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, index) => `i-n${from + index}`);

/** A user's own member, which nothing may touch. */
async function addUserManaged(): Promise<void> {
    await rig.console("AddVServerGroupBackendServers", {
        VServerGroupId: RIG_GROUPS.nodes,
        BackendServers: JSON.stringify([{ ServerId: "i-n63", Port: "9", Weight: "7", Type: "ecs" }]),
    });
}

async function expectNodes(from: number, to: number): Promise<void> {
    await replica.settle(REST);
    expect(rig.nodeWeights(MARK)).toStrictEqual(even(machines(from, to)));
    expect(replica.reason).toBe("Synced");
    expect(rig.nodeWeights()["i-n63"]).toBe(7);
}

const CLB: readonly (readonly [string, readonly Fault[]])[] = [
    ["throttles writes", [{ action: "AddVServerGroupBackendServers", code: "Throttling.User", times: 9 }]],
    ["throttles everything", [{ action: "*", code: "Throttling.User", times: 25 }]],
    [
        "is not available",
        [{ action: "*", code: "ServiceUnavailable", message: "The request has failed.", status: 503, times: 25 }],
    ],
    ["answers with a gateway's page", [{ action: "*", body: "<html>Bad Gateway</html>", status: 502, times: 9 }]],
    [
        "loses answers after the effect",
        [
            { action: "AddVServerGroupBackendServers", dropAfterEffect: true, times: 2 },
            { action: "RemoveVServerGroupBackendServers", dropAfterEffect: true, times: 2 },
        ],
    ],
    [
        "loses the answer to the second batch",
        [{ action: "AddVServerGroupBackendServers", dropAfterEffect: true, skip: 1, times: 1 }],
    ],
    ["loses calls before their effect", [{ action: "*", drop: true, times: 9 }]],
    [
        "is busy with another change",
        [{ action: "AddVServerGroupBackendServers", code: "VServerGroupProcessing", times: 30 }],
    ],
    ["has internal errors", [{ action: "*", code: "InternalError", status: 500, times: 9 }]],
    [
        "says that credentials have expired",
        [{ action: "*", code: "InvalidSecurityToken.Expired", status: 403, times: 5 }],
    ],
    [
        "forbids what it allowed",
        [{ action: "AddVServerGroupBackendServers", code: "Forbidden.RAM", status: 403, times: 3 }],
    ],
];

for (const [what, faults] of CLB) {
    test(`CLB: a group is filled and changed although the cloud ${what}`, async () => {
        await addUserManaged();
        for (const fault of faults) rig.fault(fault);
        replica.cluster(NODES, nodesOf(45));
        await expectNodes(0, 45);
        rig.heal();
        for (const fault of faults) rig.fault(fault);
        for (const fresh of nodesOf(50).slice(45)) replica.put("node", fresh);
        for (const gone of nodesOf(3)) replica.remove("node", gone);
        await expectNodes(3, 50);
    });
}

test("an outage of the cloud is reported in the condition, and the group is correct after it", async () => {
    replica.cluster(NODES, nodesOf(5));
    await replica.settle();
    rig.fault({ action: "*", code: "ServiceUnavailable", status: 503 });
    replica.put("node", node("n5"));
    await replica.settle(60_000);
    expect(replica.reason).toBe("CloudUnavailable");
    expect(rig.nodeWeights()).toStrictEqual(even(machines(0, 5)));
    rig.heal();
    await replica.settle(60_000);
    expect(rig.nodeWeights()).toStrictEqual(even(machines(0, 6)));
    expect(replica.reason).toBe("Synced");
});

test("a replica that ends aborts waiting calls at once, without a condition", async () => {
    const fault = { action: "AddVServerGroupBackendServers", code: "ServiceUnavailable", status: 503, times: 99 };
    rig.fault(fault);
    replica.cluster(NODES, nodesOf(5));
    const settled = replica.controller.queue.settled();
    await rig.clock.run(rig.clock.sleep(1));
    const said = replica.statuses.length;
    const before = rig.clock.now();
    replica.controller.queue.stop();
    replica.leaving.abort(new LeaseLost());
    await settled;
    expect(rig.clock.now()).toBe(before);
    expect(replica.statuses).toHaveLength(said);
});

test("expired credentials are reported with a remedy, and members stay", async () => {
    replica.cluster(NODES, nodesOf(5));
    await replica.settle();
    const expired = process.env["ALIBABA_CLOUD_ACCESS_KEY_SECRET"];
    process.env["ALIBABA_CLOUD_ACCESS_KEY_SECRET"] = "expired";
    const late = rig.replica();
    late.cluster(NODES, nodesOf(6));
    await late.settle(60_000);
    expect(late.reason).toBe("CallRefused");
    expect(late.statuses.at(-1)?.conditions?.[0]?.message).toMatch(/SignatureDoesNotMatch.*Remedy: /);
    expect(rig.nodeWeights()).toStrictEqual(even(machines(0, 5)));
    process.env["ALIBABA_CLOUD_ACCESS_KEY_SECRET"] = expired;
    const renewed = rig.replica();
    renewed.cluster(NODES, nodesOf(6));
    await renewed.settle();
    expect(rig.nodeWeights()).toStrictEqual(even(machines(0, 6)));
});

test("a group that was emptied in the console is filled after the next read", async () => {
    await addUserManaged();
    const empty = async (): Promise<void> => {
        const members = Object.keys(rig.nodeWeights(MARK)).map((id) => ({ ServerId: id, Port: "30080", Type: "ecs" }));
        await rig.console("RemoveVServerGroupBackendServers", {
            VServerGroupId: RIG_GROUPS.nodes,
            BackendServers: JSON.stringify(members),
        });
    };
    replica.cluster(NODES, nodesOf(5));
    await replica.settle();
    await empty();
    replica.controller.resync();
    await expectNodes(0, 5);
    await empty();
    replica.remove("node", node("n4"));
    await replica.settle();
    replica.controller.resync();
    await expectNodes(0, 4);
});

test("a group that was deleted is reported with a remedy, and filled once it exists again", async () => {
    replica.cluster(NODES, nodesOf(5));
    await replica.settle();
    await rig.console("DeleteVServerGroup", { VServerGroupId: RIG_GROUPS.nodes });
    replica.put("node", node("n5"));
    await replica.settle();
    replica.controller.resync();
    await replica.settle();
    expect(replica.reason).toBe("ServerGroupMissing");
    await rig.makeGroupAgain();
    replica.controller.resync();
    await replica.settle();
    expect(rig.nodeWeights()).toStrictEqual(even(machines(0, 6)));
    expect(replica.reason).toBe("Synced");
});

test("an invalid binding and a missing Service change nothing, and later changes follow", async () => {
    replica.cluster(NODES, nodesOf(5));
    await replica.settle();
    const writes = rig.calls().length;
    for (const nonsense of [
        {},
        { ...NODES, ports: [] },
        { ...NODES, nodePort: "many" },
        { ...NODES, serverGroup: null },
    ]) {
        replica.put("binding", { ...binding(NODES), spec: nonsense });
        replica.put("node", node("n5"));
        await replica.settle();
        expect(replica.reason).toBe("InvalidSpec");
    }
    replica.put("binding", binding(NODES));
    replica.remove("service", service());
    replica.remove("node", node("n0"));
    await replica.settle();
    expect(replica.reason).toBe("ServiceMissing");
    expect(
        rig
            .calls()
            .slice(writes)
            .filter((call) => !call.startsWith("Describe")),
    ).toStrictEqual([]);
    replica.put("service", service());
    await replica.settle();
    expect(rig.nodeWeights()).toStrictEqual(even(machines(1, 6)));
});
