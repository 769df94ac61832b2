import { expect, test } from "@jest/globals";
import type { PreviewDigest } from "../../../../cli/report/preview";
import type { StatedCloud } from "../../../../lab/cloud";
import { unannounced } from "./announced";

const EMPTY = { loadBalancers: [], listeners: [], vServerGroups: [], serverGroups: [], acls: [], domainExtensions: [] };

const cloud = {
    slb: {
        ...EMPTY,
        loadBalancers: [{ id: "lb-1", name: "web" }],
        listeners: [{ loadBalancerId: "lb-1", protocol: "tcp", port: 80, attributes: {} }],
    },
    nlb: EMPTY,
    ecs: { securityGroups: [] },
} as unknown as StatedCloud;

/** A preview that has this step of the listener. */
const preview = (op: string): PreviewDigest => {
    const inputs = { loadBalancerId: "lb-1", protocol: "tcp", frontendPort: 80 };
    const state = { type: "alicloud:slb/listener:Listener", id: "lb-1:tcp:80", inputs };
    const urn = "urn:pulumi:dev::p::ServiceLoadBalancer$alicloud:slb/listener:Listener::web/tcp-80";
    return { steps: [{ op, urn, oldState: state, newState: state, diffReasons: [] }] } as unknown as PreviewDigest;
};

const found = (op: string, ...actions: readonly string[]): string[] => {
    const params = { LoadBalancerId: "lb-1", ListenerPort: "80", ListenerProtocol: "tcp" };
    const writes = actions.map((action) => ({ product: "Slb", action, params }));
    return unannounced(preview(op), { before: cloud, after: cloud, writes });
};

const SET = "SetLoadBalancerTCPListenerAttribute";

test("a change with its call is right", () => {
    expect(found("same")).toStrictEqual([]);
    expect(found("update", SET)).toStrictEqual([]);
    expect(found("replace", "DeleteLoadBalancerListener", "CreateLoadBalancerTCPListener", SET)).toStrictEqual([]);
});

test("a call that no change announces is found", () => {
    expect(found("same", SET)).toHaveLength(1);
    expect(found("update", SET, "DeleteLoadBalancerListener")).toHaveLength(1);
});

test("a change without a call is found", () => {
    expect(found("update")).toHaveLength(1);
    expect(found("replace", "DeleteLoadBalancerListener", SET)).toHaveLength(1);
});
