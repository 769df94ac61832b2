/** Server groups of other accounts, for which the controller assumes the role of their binding, and other VPCs. */
import { expect, test } from "@jest/globals";
import { binding, endpoint, node, podSpec, service, slice, spec } from "../support/sync-world";
import { nodesOf, RIG_GROUPS, SyncRig } from "../support/sync-rig";

const ACCOUNT = "2000000000000002";
const GROUP = spec({ serverGroup: { id: RIG_GROUPS.nodes, type: "VServer" }, externalTrafficPolicy: "Cluster" });
const THERE = { ...GROUP, assumeRole: { roleArn: `acs:ram::${ACCOUNT}:role/load-balancers` } };

test("a binding with a role changes only the account of the role", async () => {
    const rig = await SyncRig.create();
    const elsewhere = await rig.otherAccount(ACCOUNT);
    const replica = rig.replica();
    replica.cluster(THERE, nodesOf(2));
    await replica.settle();
    expect(elsewhere()).toStrictEqual({ "i-n0": 100, "i-n1": 100 });
    expect(rig.nodeWeights()).toStrictEqual({});
    expect(replica.reason).toBe("Synced");
    replica.put("node", node("n2"));
    await replica.settle();
    expect(Object.keys(elsewhere())).toHaveLength(3);
    expect(rig.calls().filter((call) => call === "AssumeRole")).toHaveLength(1);
});

test("a role that cannot be assumed is reported with a remedy, and other groups follow", async () => {
    const rig = await SyncRig.create();
    const replica = rig.replica();
    const unknown = { ...THERE, assumeRole: { roleArn: "acs:ram::3000000000000003:role/load-balancers" } };
    replica.cluster(unknown, nodesOf(2));
    await replica.settle();
    expect(replica.reason).toBe("CallRefused");
    expect(replica.statuses.at(-1)?.conditions?.[0]?.message).toMatch(
        /AssumeRole failed: EntityNotExist\.Role.*Remedy: /,
    );
    replica.remove("binding", binding(unknown));
    replica.put("service", service());
    replica.put("binding", binding(GROUP));
    await replica.settle();
    expect(rig.nodeWeights()).toStrictEqual({ "i-n0": 100, "i-n1": 100 });
});

test("a pod is found in the VPC of the cluster, although another one has the same addresses", async () => {
    const rig = await SyncRig.create();
    const { networkInterfaces } = rig.world.ecs;
    const own = networkInterfaces.get("eni-1");
    if (own === undefined) throw new Error("the rig has no interface eni-1");
    networkInterfaces.set("eni-far", { ...own, id: "eni-far", vpcId: "vpc-far" });
    const replica = rig.replica();
    const { vpcId } = own;
    replica.cluster(
        podSpec({ serverGroup: { id: RIG_GROUPS.nodes, type: "VServer" }, vpcId }),
        nodesOf(1),
        slice(endpoint("10.0.0.1", "n0")),
    );
    await replica.settle();
    expect([replica.reason, rig.nodeWeights()]).toStrictEqual(["Synced", { "eni-1": 100 }]);
});
