/** Requirements: E04, I01, I24. */
import { expect, test } from "@jest/globals";
import type { ClusterFacts } from "../schema/facts";
import type { Settings } from "../schema/settings";
import type { Service } from "./service";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import { buildClb, buildNlb } from "../plan/desired";
import { buildReuse, tenantOf } from "./reuse";
import { nlbImmutableFields } from "../nlb/load-balancer";

function service(settings: Settings, loadBalancerType: LoadBalancerType = "nlb"): Service {
    return {
        namespace: "shop",
        name: "web",
        selector: { app: "web" },
        ports: [
            { port: 80, protocol: "TCP", targetPort: 8080 },
            { port: 53, protocol: "UDP", targetPort: 5353 },
        ],
        externalTrafficPolicy: "Cluster",
        loadBalancerType,
        loadBalancerSourceRanges: [],
        object: {},
        settings,
    };
}

const FACTS: ClusterFacts = { clusterId: "c1", vpcId: "vpc-1" };
const RANGED: Settings = {
    id: "nlb-1",
    listenerPortRange: [{ from: 70, to: 90, port: 80 }],
    vgroupPort: [{ vgroupId: "sgp-1", port: 80 }],
};

test("a Service that names no instance makes no request", () => {
    expect(buildReuse(service({}), FACTS, [])).toBeUndefined();
});

test("the request for an NLB has what is set, and nothing else", () => {
    expect(buildReuse(service({ id: "nlb-1" }), FACTS, ["nlb-1.example"])).toStrictEqual({
        loadBalancerType: "nlb",
        loadBalancerId: "nlb-1",
        namespace: "shop",
        name: "web",
        clusterId: "c1",
        addressType: "internet",
        vpcId: "vpc-1",
        manageListeners: false,
        listeners: [
            { protocol: "tcp", port: 80 },
            { protocol: "udp", port: 53 },
        ],
        joinedGroups: [],
        additionalTags: {},
        attachesPods: false,
        boundTo: ["nlb-1.example"],
        denied: [],
        fixed: {},
        attributes: {},
        crossesVpcs: true,
        groupType: "Instance",
    });
});

test("attributes of an NLB, in an order of their own", () => {
    const settings: Settings = {
        id: "nlb-1",
        name: "front",
        addressType: "intranet",
        ipVersion: "DualStack",
        ipv6AddressType: "internet",
        crossZoneEnabled: "off",
        securityGroupIds: ["sg-2", "sg-1", "sg-2"],
        bandwidthPackageId: "cbwp-1",
        resourceGroupId: "rg-1",
        deleteProtection: "off",
        zoneMaps: [
            { zoneId: "z-b", vswitchId: "vsw-b" },
            { zoneId: "z-a", vswitchId: "vsw-a" },
        ],
    };
    const request = buildReuse(service(settings), { ...FACTS, compatibility: "v2.9.0" }, []);
    expect([request?.ipVersion, request?.addressType, request?.fixed, request?.crossesVpcs]).toStrictEqual([
        "DualStack",
        "intranet",
        { resourceGroupId: "rg-1" },
        false,
    ]);
    expect(request?.attributes).toStrictEqual({
        name: "front",
        addressType: "intranet",
        ipv6AddressType: "internet",
        crossZoneEnabled: "off",
        securityGroupIds: ["sg-1", "sg-2"],
        bandwidthPackageId: "cbwp-1",
        deleteProtection: "off",
        zoneMaps: [
            { zoneId: "z-a", vswitchId: "vsw-a" },
            { zoneId: "z-b", vswitchId: "vsw-b" },
        ],
    });
});

test("an NLB of another VPC can be reused from Cloud Controller Manager v2.9.1 on, a CLB cannot", () => {
    const crosses = (type: LoadBalancerType, compatibility: string): unknown =>
        buildReuse(service({ id: type === "nlb" ? "nlb-1" : "lb-1" }, type), { ...FACTS, compatibility }, [])
            ?.crossesVpcs;
    expect([crosses("nlb", "v2.9.0"), crosses("nlb", "v2.9.1")]).toStrictEqual([false, true]);
    expect(crosses("clb", "v2.13.0")).not.toBe(true);
});

test("a port range takes all its ports and joins a group by the first; a CLB has no ranges", () => {
    const request = buildReuse(service(RANGED), FACTS, []);
    expect(request?.listeners[0]).toStrictEqual({ protocol: "tcp", port: 70, endPort: 90 });
    expect(request?.joinedGroups).toStrictEqual([{ vgroupId: "sgp-1", port: 70 }]);
    expect(tenantOf(service(RANGED), "nlb-1", FACTS).listeners[0]).toStrictEqual({
        protocol: "tcp",
        port: 70,
        endPort: 90,
    });
    expect(tenantOf(service(RANGED, "clb"), "lb-1", FACTS).listeners[0]).toStrictEqual({ protocol: "tcp", port: 80 });
});

test("before the controller let Services share an instance, a Service has it alone", () => {
    const alone = (compatibility?: string): unknown =>
        tenantOf(service(RANGED, "clb"), "lb-1", {
            ...FACTS,
            ...(compatibility === undefined ? {} : { compatibility }),
        }).alone;
    expect([alone("v1.9.3.104"), alone("v1.9.3.105"), alone()]).toStrictEqual([true, undefined, undefined]);
});

test("listeners of a reused NLB are built only if managed; a joined group is behind one port", () => {
    const settings: Settings = { id: "nlb-1", backendType: "eni", vgroupPort: [{ vgroupId: "sgp-1", port: 80 }] };
    const { listeners, serverGroups } = buildNlb(service(settings), FACTS);
    expect(listeners).toStrictEqual([]);
    expect(serverGroups.map(({ key, joined }) => [key, joined])).toStrictEqual([
        ["port-80", "sgp-1"],
        ["target-udp-5353", undefined],
    ]);
    const managed = buildNlb(service({ ...settings, forceOverrideListeners: "true" }), FACTS);
    expect(managed.listeners.map(({ serverGroup }) => serverGroup)).toStrictEqual(["port-80", "target-udp-5353"]);
});

test.each(["clb", "nlb"] as const)("a joined group is of a port number, not of a protocol (%s)", (type) => {
    const settings: Settings = { id: "lb-1", vgroupPort: [{ vgroupId: "rsp-1", port: 80 }] };
    const build = type === "clb" ? buildClb : buildNlb;
    const keysOf = (...protocols: readonly ("TCP" | "UDP")[]) => {
        const ports = protocols.map((protocol) => ({ port: 80, protocol, targetPort: 8080 }));
        return build({ ...service(settings, type), ports }, FACTS).serverGroups.map(({ key, ports: served }) => [
            key,
            served.map(({ protocol }) => protocol),
        ]);
    };
    expect(keysOf("TCP")).toStrictEqual([["port-80", ["TCP"]]]);
    expect(keysOf("UDP")).toStrictEqual([["port-80", ["UDP"]]]);
    expect(keysOf("TCP", "UDP")).toStrictEqual([["port-80", ["TCP", "UDP"]]]);
});

test("the reused instance and joined groups cannot change; the IP version is the instance's", () => {
    expect(nlbImmutableFields(service({ ...RANGED, ipVersion: "DualStack" }), FACTS)).toStrictEqual({
        loadBalancerType: "nlb",
        clusterId: "c1",
        id: "nlb-1",
        vgroupPort: "sgp-1:80",
    });
});
