import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal, scriptedCloud } from "../cloud/testing";
import { ensureStarted, serverGroup } from "./sweep";

const NAME = "k8s/30080/web/shop/c1";

/** An instance with two groups of one name, of which deleting the first is answered as given. */
function instance(first: ReturnType<typeof refusal>) {
    return scriptedCloud((asked) => {
        if (asked.action === "DescribeVServerGroups") {
            const groups = [
                { VServerGroupId: "rsp-1", VServerGroupName: NAME },
                { VServerGroupId: "rsp-2", VServerGroupName: NAME },
                { VServerGroupId: "rsp-3", VServerGroupName: "other" },
            ];
            return { body: { VServerGroups: { VServerGroup: groups } } };
        }
        return asked.params["VServerGroupId"] === "rsp-1" ? first : { body: {} };
    });
}

test("a group of this name that a listener uses stays: ports of one nodePort share the name", async () => {
    const { cloud, asked } = instance(refusal("RspoolVipExist"));
    await serverGroup(cloud, "lb-1", NAME);
    assert.deepEqual(
        asked.filter(({ action }) => action === "DeleteVServerGroup").map(({ params }) => params["VServerGroupId"]),
        ["rsp-1", "rsp-2"],
    );
});

test("any other refusal is told", async () => {
    const { cloud } = instance(refusal("Forbidden.RAM", "no permission", 403));
    await assert.rejects(serverGroup(cloud, "lb-1", NAME), /Forbidden\.RAM/);
});

for (const [status, calls] of [
    ["stopped", ["DescribeLoadBalancerTCPListenerAttribute", "StartLoadBalancerListener"]],
    ["running", ["DescribeLoadBalancerTCPListenerAttribute"]],
] as const) {
    test(`a ${status} listener is ${status === "stopped" ? "started" : "left alone"}`, async () => {
        const { cloud, asked } = scriptedCloud(() => ({ body: { Status: status } }));
        await ensureStarted(cloud, "lb-1", { port: 80, protocol: "tcp" });
        assert.deepEqual(
            asked.map(({ action }) => action),
            calls,
        );
    });
}
