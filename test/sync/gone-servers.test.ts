/** Servers that the cloud no longer has: each is named, and keeps no other out of its group. */
import { beforeEach, expect, test } from "@jest/globals";
import { spec } from "../support/sync-world";
import { even, NODE_MARK, nodesOf, REST, RIG_GROUPS, SyncRig } from "../support/sync-rig";
import { createCloud } from "../../provider/cloud";
import { groupApi, type GroupType } from "../../provider/resources/handlers/group";

let rig: SyncRig;
beforeEach(async () => {
    rig = await SyncRig.create();
});

const GROUPS: readonly (readonly [GroupType, string, string])[] = [
    ["VServer", RIG_GROUPS.nodes, "InvalidServerId.NotExist: The specified ServerId is not exist."],
    ["Instance", RIG_GROUPS.servers, "ResourceNotFound.Ecs: The specified resource of Ecs is not found."],
];

for (const [type, id, reason] of GROUPS) {
    test(`a node whose instance was released keeps no other node out: ${type}`, async () => {
        const replica = rig.replica();
        const mark = type === "VServer" ? {} : { ownershipMark: NODE_MARK };
        const weights = () => (type === "VServer" ? rig.nodeWeights() : rig.serverWeights());
        const machines = Array.from({ length: 45 }, (_, index) => `i-n${index}`);
        rig.world.ecs.instances.delete("i-n7");
        replica.cluster(spec({ serverGroup: { id, type }, externalTrafficPolicy: "Cluster", ...mark }), nodesOf(45));
        await replica.settle();
        expect(weights()).toStrictEqual(even(machines.filter((machine) => machine !== "i-n7")));
        expect(replica.statuses.at(-1)?.conditions?.[0]).toMatchObject({
            reason: "CallRefused",
            message: expect.stringContaining(`the cloud refuses n7 (i-n7) (${reason}); the others were added`),
        });
        for (const one of nodesOf(8).slice(7)) replica.remove("node", one);
        await replica.settle(REST);
        expect(replica.reason).toBe("Synced");
    });
}

test("an instance that is stopped keeps no other node out, and joins when it runs", async () => {
    const replica = rig.replica();
    const stopped = rig.world.ecs.instances.get("i-n1");
    if (stopped === undefined) throw new Error("the rig has no i-n1");
    rig.world.ecs.instances.set("i-n1", { ...stopped, status: "Stopped" });
    replica.cluster(
        spec({ serverGroup: { id: RIG_GROUPS.nodes, type: "VServer" }, externalTrafficPolicy: "Cluster" }),
        nodesOf(3),
    );
    await replica.settle();
    expect([replica.reason, rig.nodeWeights()]).toStrictEqual(["CallRefused", even(["i-n0", "i-n2"])]);
    rig.world.ecs.instances.set("i-n1", stopped);
    await replica.settle(REST);
    expect([replica.reason, rig.nodeWeights()]).toStrictEqual(["Synced", even(["i-n0", "i-n1", "i-n2"])]);
});

const GONE: readonly (readonly [string, GroupType, string, string, RegExp])[] = [
    ["an interface, CLB", "VServer", RIG_GROUPS.nodes, "eni-none", /^ResourceNotFound\.vServers: .*eni-none/],
    ["an interface, NLB", "Instance", RIG_GROUPS.servers, "eni-none", /^ResourceNotFound\.Eni: /],
    ["a group, CLB", "VServer", "rsp-none", "eni-1", /^$/],
    ["a group, NLB", "Instance", "sgp-none", "eni-1", /^$/],
];
for (const [what, type, id, eni, reason] of GONE) {
    test(`a refusal because of a server is told from others: ${what}`, async () => {
        const cloud = createCloud({
            region: "cn-hangzhou",
            clock: rig.clock,
            transport: (request) => rig.transport(request),
        });
        const api = groupApi(cloud, type);
        const added = api.add(id, [{ address: "10.0.0.1", port: 80, weight: 1, eni }]);
        const refused = rig.clock.run(added).then(
            () => "added",
            (error: unknown) => api.refusalOfServer(error) ?? "",
        );
        expect(await refused).toMatch(reason);
    });
}
