/** Answers of the cloud and of the API server, in other shapes than documented. */
import * as fc from "fast-check";
import { CloudError } from "../../../../provider/cloud";
import { scriptedCloud } from "../../../../test/support/cloud-client";
import type { LoadBalancerType } from "../../../../provider/schema/load-balancer-type";
import { instancesOf, observeLoadBalancer } from "../../../../provider/plan/reuse/instances";
import { BINDING_SPEC } from "../../../../provider/sync/binding/spec";
import { readSpec, readStatus } from "../../../../provider/sync/binding/object";
import { binding, spec } from "../../../../test/support/sync-world";
import { target } from "../target";
import { damaged, oddValue } from "../values";

/** Bodies as the cloud documents them, by action. */
const ANSWERS: Readonly<Record<string, unknown>> = {
    DescribeLoadBalancerAttribute: {
        LoadBalancerId: "lb-1",
        LoadBalancerName: "web",
        LoadBalancerStatus: "active",
        Address: "203.0.113.7",
        AddressType: "internet",
        AddressIPVersion: "ipv4",
        VpcId: "vpc-1",
        Tags: { Tag: [{ TagKey: "a", TagValue: "b" }] },
    },
    DescribeLoadBalancerListeners: {
        Listeners: [{ ListenerPort: 80, ListenerProtocol: "tcp", Description: "mine", VServerGroupId: "rsp-1" }],
        TotalCount: 1,
    },
    DescribeVServerGroups: { VServerGroups: { VServerGroup: [{ VServerGroupId: "rsp-1", VServerGroupName: "mine" }] } },
    DescribeVServerGroupAttribute: {
        VServerGroupId: "rsp-1",
        VServerGroupName: "mine",
        BackendServers: { BackendServer: [{ ServerId: "i-1", Port: 80, Weight: 100, Type: "ecs" }] },
    },
    ListTagResources: { TagResources: { TagResource: [{ TagKey: "a", TagValue: "b", ResourceId: "lb-1" }] } },
    GetLoadBalancerAttribute: {
        LoadBalancerId: "nlb-1",
        LoadBalancerName: "web",
        LoadBalancerStatus: "Active",
        DNSName: "web.example.com",
        AddressType: "Internet",
        VpcId: "vpc-1",
        ZoneMappings: [
            {
                ZoneId: "cn-hangzhou-a",
                VSwitchId: "vsw-1",
                LoadBalancerAddresses: [{ PublicIPv4Address: "203.0.113.7" }],
            },
        ],
    },
    ListListeners: {
        Listeners: [{ ListenerId: "lsn-1", ListenerPort: 80, ListenerProtocol: "TCP", ServerGroupId: "sgp-1" }],
        TotalCount: 1,
    },
    ListServerGroups: {
        ServerGroups: [{ ServerGroupId: "sgp-1", ServerGroupName: "mine", ServerGroupType: "Ip" }],
        TotalCount: 1,
    },
    ListServerGroupServers: { Servers: [{ ServerId: "i-1", ServerType: "Ecs", Port: 80, Weight: 100 }], TotalCount: 1 },
};

const once = { attempts: 1 };
const ONE_TRY = { throttled: once, busy: once, unavailable: once, uncertain: once };

const cloudThatAnswers = (bodies: Readonly<Record<string, unknown>>) =>
    scriptedCloud(({ action }) => ({ body: bodies[action] ?? {} }), { backoff: ONE_TRY });

const BINDING = {
    ...binding(spec()),
    status: {
        conditions: [{ type: "Synced", status: "True", reason: "Synced", lastTransitionTime: "2026-01-01T00:00:00Z" }],
    },
};

const observed = (type: LoadBalancerType) =>
    target({
        name: `answers of the cloud about a ${type.toUpperCase()}`,
        good: ANSWERS,
        inputs: damaged(ANSWERS),
        take: async (bodies) => {
            const { cloud, clock } = cloudThatAnswers(Object(bodies) as Record<string, unknown>);
            const api = instancesOf(cloud, type);
            const found = await clock.run(observeLoadBalancer(api, type === "nlb" ? "nlb-1" : "lb-1"));
            for (const { id } of found?.serverGroups ?? []) await clock.run(api.listBackends(id));
        },
        expects: (error) => error instanceof CloudError,
    });

export const OBSERVED = [
    observed("clb"),
    observed("nlb"),
    target({
        name: "bindings",
        good: BINDING,
        inputs: fc.oneof(oddValue, damaged(BINDING)),
        take: (object) => {
            if (!BINDING_SPEC.safeParse((object as { spec?: unknown } | null)?.spec).success) return;
            const read = object as Parameters<typeof readSpec>[0];
            readSpec(read);
            readStatus(read);
        },
    }),
];
