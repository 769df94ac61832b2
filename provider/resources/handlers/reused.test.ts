/** Requirements: F20, I19, X23. */
import { expect, test } from "@jest/globals";
import type { ReusedAttributes } from "../../service/reuse";
import { type Asked, refusal, scriptedCloud } from "../../../test/support/cloud-client";
import { clbInstances, observeLoadBalancer } from "../../plan/reuse/instances";
import { detachService, leaveInstance, updateTags } from "./reused";

const OWNER = "k8s/0/web/shop/c1";
const OWN = { ListenerPort: 80, ListenerProtocol: "tcp", Description: "k8s/80/web/shop/c1", VServerGroupId: "rsp-own" };
const THEIRS = { ListenerPort: 81, ListenerProtocol: "tcp", Description: "theirs", VServerGroupId: "rsp-theirs" };
const REDIRECT = {
    ListenerPort: 82,
    ListenerProtocol: "http",
    Description: "k8s/82/web/shop/c1",
    HTTPListenerConfig: { ListenerForward: "on", ForwardPort: 80 },
};

/** Makes an instance with these listeners, a managed group with these members, and a user-managed group. */
function instance(listeners: readonly object[], members: readonly object[] = [], more: readonly object[] = []) {
    return scriptedCloud(({ action }) => {
        switch (action) {
            case "DescribeLoadBalancerListeners":
                return { body: { Listeners: listeners } };
            case "DescribeVServerGroups":
                return {
                    body: {
                        VServerGroups: {
                            VServerGroup: [
                                { VServerGroupId: "rsp-own", VServerGroupName: "k8s/30080/web/shop/c1" },
                                { VServerGroupId: "rsp-theirs", VServerGroupName: "theirs" },
                                ...more,
                            ],
                        },
                    },
                };
            case "DescribeVServerGroupAttribute":
                return {
                    body: {
                        VServerGroupId: "rsp-own",
                        VServerGroupName: "k8s/30080/web/shop/c1",
                        BackendServers: { BackendServer: members },
                    },
                };
            default:
                return { body: {} };
        }
    });
}

const request = {
    loadBalancerId: "lb-1",
    owner: OWNER,
    tags: { "kubernetes.reused.by.user": "true", team: "b" },
    former: { team: "a" },
};
const writes = (asked: readonly Asked[]) =>
    asked
        .filter(({ action }) => !/^(?:Describe|List)/.test(action))
        .map(({ action, params }) => {
            const named = ["ListenerPort", "VServerGroupId", "TagKey.1", "Tag.1.Key"].find((one) => one in params);
            return `${action} ${params[named ?? ""] ?? ""}`;
        });

test("removing a Service removes listeners, redirects first, groups, tags, and restores values", async () => {
    const { cloud, asked } = instance([OWN, THEIRS, REDIRECT]);
    await detachService(clbInstances(cloud), request);
    expect(writes(asked)).toStrictEqual([
        "DeleteLoadBalancerListener 82",
        "DeleteLoadBalancerListener 80",
        "DeleteVServerGroup rsp-own",
        "TagResources team",
        "UntagResources kubernetes.reused.by.user",
    ]);
});

test("a Service is removed without writes if its instance does not exist", async () => {
    const { cloud, asked } = scriptedCloud(({ action }) =>
        action === "DescribeVServerGroups" ? refusal("InvalidLoadBalancerId.NotFound") : { body: { Listeners: [] } },
    );
    await detachService(clbInstances(cloud), request);
    expect(writes(asked)).toStrictEqual([]);
});

test("while another Service is there, the tag of reuse stays", async () => {
    const { cloud, asked } = instance([], [], [{ VServerGroupId: "rsp-2", VServerGroupName: "k8s/30081/api/shop/c1" }]);
    await detachService(clbInstances(cloud), {
        ...request,
        tags: { "kubernetes.reused.by.user": "true" },
        former: {},
    });
    expect(writes(asked)).toStrictEqual(["DeleteVServerGroup rsp-own"]);
});

test("while another Service has backends in a user-managed group, the tag of reuse stays", async () => {
    const { cloud, asked } = scriptedCloud(({ action }) => {
        const group = { VServerGroupId: "rsp-theirs", VServerGroupName: "theirs" };
        if (action === "DescribeVServerGroups") return { body: { VServerGroups: { VServerGroup: [group] } } };
        if (action !== "DescribeVServerGroupAttribute") return { body: { Listeners: [] } };
        const member = { ServerId: "i-1", Port: 80, Weight: 100, Type: "ecs", Description: "k8s/80/api/shop/c1" };
        return { body: { ...group, BackendServers: { BackendServer: [member] } } };
    });
    await detachService(clbInstances(cloud), { ...request, tags: { "kubernetes.reused.by.user": "true" }, former: {} });
    expect(writes(asked)).toStrictEqual([]);
});

test("the tag of reuse is removed even if another Service is removed at the same time", async () => {
    const others = { ListenerPort: 81, ListenerProtocol: "tcp", Description: "k8s/81/api/shop/c1" };
    let deleted = false;
    const { cloud, asked } = scriptedCloud(({ action }) => {
        deleted ||= action === "DeleteLoadBalancerListener";
        return { body: action === "DescribeLoadBalancerListeners" ? { Listeners: deleted ? [] : [OWN, others] } : {} };
    });
    await detachService(clbInstances(cloud), { ...request, tags: { "kubernetes.reused.by.user": "true" }, former: {} });
    expect(writes(asked)).toStrictEqual(["DeleteLoadBalancerListener 80", "UntagResources kubernetes.reused.by.user"]);
});

test("a group that holds user-managed members loses ours and stays", async () => {
    const member = (ServerId: string, Description: string) => ({
        ServerId,
        Port: 30080,
        Weight: 100,
        Type: "ecs",
        Description,
    });
    const { cloud, asked } = instance([], [member("i-1", "k8s/30080/web/shop/c1"), member("i-2", "by hand")]);
    await detachService(clbInstances(cloud), { ...request, tags: {} });
    expect(writes(asked)).toStrictEqual(["RemoveVServerGroupBackendServers rsp-own"]);
    expect(asked.at(-1)?.params["BackendServers"] ?? "").toMatch(/i-1/);
    expect(asked.at(-1)?.params["BackendServers"] ?? "").not.toMatch(/i-2/);
});

test("a user-managed listener that uses our group stops everything before it begins", async () => {
    const { cloud, asked } = instance([OWN, { ...THEIRS, VServerGroupId: "rsp-own" }]);
    await expect(detachService(clbInstances(cloud), request)).rejects.toThrow(
        /nothing was removed: listener tcp:81 \(description "theirs"\) sends to vServer group "k8s\/30080\/web\/shop\/c1".*Remedy: /,
    );
    expect(writes(asked)).toStrictEqual([]);
});

test("an instance that is gone has nothing to leave", async () => {
    const { cloud, asked } = scriptedCloud(() =>
        refusal("InvalidLoadBalancerId.NotFound", "The specified LoadBalancerId does not exist.", 404),
    );
    await detachService(clbInstances(cloud), request);
    expect(asked).toHaveLength(1);
});

test.each([
    ["a run that was killed while it set tags leaves none", { team: "b" }, "a", ["TagResources team"]],
    ["the value that a deletion gave back stays", { team: "a" }, "a", []],
    ["a value that the user had as well stays, without another look", { team: "b" }, "b", []],
    ["no tag is left", {}, "a", []],
])("%s", async (_, actual, value, written) => {
    const TagResource = Object.entries(actual).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));
    const { cloud, asked } = scriptedCloud(() => ({ body: { TagResources: { TagResource } } }));
    const { loadBalancerId, owner: key, tags } = request;
    await leaveInstance(clbInstances(cloud), { loadBalancerId, key, tags, recordedTags: { team: { value } } });
    expect(writes(asked)).toStrictEqual(written);
    if (written.length === 0) expect(asked).toHaveLength(1);
});

test("tags: what is new is set, former values are remembered, what is dropped goes back", async () => {
    const { cloud, asked } = scriptedCloud(({ action }) => ({
        body:
            action === "ListTagResources"
                ? { TagResources: { TagResource: [{ TagKey: "env", TagValue: "test" }] } }
                : {},
    }));
    expect(await updateTags(clbInstances(cloud), "lb-1", { team: "b" }, { env: "prod" }, { team: "a" })).toStrictEqual({
        env: "test",
    });
    expect(writes(asked)).toStrictEqual(["TagResources env", "TagResources team"]);
});

test("tags: the values from before a killed run are restored, not those that it left", async () => {
    const tag = (TagKey: string, TagValue: string) => ({ TagKey, TagValue });
    const { cloud, asked } = scriptedCloud(({ action }) => ({
        body:
            action === "ListTagResources"
                ? { TagResources: { TagResource: [tag("team", "b"), tag("web", "1"), tag("tier", "0")] } }
                : {},
    }));
    const tags = { team: "b", web: "1", tier: "1" };
    const recorded = { team: { value: "a" }, web: {} };
    expect(await updateTags(clbInstances(cloud), "lb-1", {}, tags, {}, recorded)).toStrictEqual({
        team: "a",
        tier: "0",
    });
    expect(writes(asked)).toStrictEqual(["TagResources tier"]);
});

test("the cluster's tag stays while another Service of its id is there, and goes with the last", async () => {
    for (const [cluster, gone] of [
        ["c1", []],
        ["c2", ["UntagResources ack-loadbalancer.io/c1"]],
    ] as const) {
        const { cloud, asked } = instance(
            [],
            [],
            [{ VServerGroupId: "rsp-2", VServerGroupName: `k8s/30081/api/shop/${cluster}` }],
        );
        const tags = { "kubernetes.reused.by.user": "true", "ack-loadbalancer.io/c1": "uid-a" };
        await detachService(clbInstances(cloud), { ...request, tags, former: {} });
        expect(writes(asked).filter((call) => /tag/i.test(call))).toStrictEqual(gone);
    }
});

test("the tag of reuse that another Service has set is not a former value", async () => {
    const tag = { TagKey: "kubernetes.reused.by.user", TagValue: "true" };
    const { cloud, asked } = scriptedCloud(({ action }) => ({
        body: action === "ListTagResources" ? { TagResources: { TagResource: [tag] } } : {},
    }));
    expect(
        await updateTags(clbInstances(cloud), "lb-1", {}, { "kubernetes.reused.by.user": "true" }, {}),
    ).toStrictEqual({});
    expect(writes(asked)).toStrictEqual([]);
});

const ATTRIBUTES: readonly [string, ReusedAttributes, readonly string[]][] = [
    ["nothing", {}, []],
    ["a specification", { spec: "slb.s1.small" }, ["ModifyLoadBalancerInstanceSpec"]],
    [
        "payment and specification in one",
        { instanceChargeType: "PayBySpec", spec: "slb.s1.small" },
        ["ModifyLoadBalancerInstanceChargeType"],
    ],
    ["bandwidth", { bandwidth: 10 }, ["ModifyLoadBalancerInternetSpec"]],
    [
        "the name and both protections",
        { name: "n", deleteProtection: "on", modificationProtection: "NonProtection" },
        ["SetLoadBalancerName", "SetLoadBalancerModificationProtection", "SetLoadBalancerDeleteProtection"],
    ],
];

for (const [what, attributes, expected] of ATTRIBUTES) {
    test(`attributes of a reused instance: ${what}`, async () => {
        const { cloud, asked } = scriptedCloud(() => ({ body: {} }));
        await clbInstances(cloud).setAttributes("lb-1", attributes);
        expect(asked.map(({ action }) => action)).toStrictEqual(expected);
    });
}

test("the answer for one CLB has no tags, so that they are read by another call", async () => {
    const { cloud, asked } = scriptedCloud(({ action }) => ({
        body:
            action === "ListTagResources"
                ? { TagResources: { TagResource: [{ TagKey: "team", TagValue: "users" }] } }
                : { LoadBalancerId: "lb-1", Tags: { Tag: [] } },
    }));
    expect((await observeLoadBalancer(clbInstances(cloud), "lb-1"))?.tags).toStrictEqual({ team: "users" });
    expect(asked.map(({ action }) => action)).toContain("ListTagResources");
});
