/** Requirements: X20. */
import { expect, test } from "@jest/globals";
import { nlbListenerMark } from "./listener";
import type { Settings } from "../schema/settings";
import type { ClusterFacts } from "../schema/facts";
import type { Service, ServicePort } from "../service/service";
import { buildNlb } from "../plan/desired";
import { nlbImmutableFields } from "./load-balancer";

const OWNER = { namespace: "shop", name: "web", clusterId: "c1" };

const PORTS: readonly ServicePort[] = [
    { name: "tcp", port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30080 },
    { name: "udp", port: 53, protocol: "UDP", targetPort: 5353 },
    { name: "tls", port: 443, protocol: "TCP", targetPort: 8080 },
];
const ZONES = [
    { zoneId: "cn-hangzhou-b", vswitchId: "vsw-b" },
    { zoneId: "cn-hangzhou-a", vswitchId: "vsw-a", privateIpv4: "10.0.0.9", allocationId: "eip-1" },
];

function service(settings: Settings, more: Partial<Service> = {}): Service {
    const base = {
        namespace: "shop",
        name: "web",
        selector: { app: "web" },
        ports: PORTS,
        externalTrafficPolicy: "Cluster",
        loadBalancerType: "nlb",
        loadBalancerSourceRanges: [],
        object: {},
    } as const;
    return { ...base, settings: { zoneMaps: ZONES, ...settings }, ...more };
}

const desired = (settings: Settings = {}, facts: Partial<ClusterFacts> = {}, more: Partial<Service> = {}) =>
    buildNlb(service(settings, more), { clusterId: "c1", ...facts });

test("an NLB with zones only is public, protected, cross-zone, and keeps their order", () => {
    expect(desired().loadBalancer).toStrictEqual({
        addressType: "internet",
        ipVersion: "ipv4",
        zoneMaps: [ZONES[1], ZONES[0]],
        crossZoneEnabled: "on",
        securityGroupIds: [],
        deleteProtection: "on",
        modificationProtection: "ConsoleProtection",
        additionalTags: {},
        preserve: false,
        sourceRanges: [],
    });
});

test("an NLB with every setting", () => {
    const settings: Settings = {
        addressType: "intranet",
        ipVersion: "DualStack",
        ipv6AddressType: "internet",
        crossZoneEnabled: "off",
        securityGroupIds: ["sg-2", "sg-1", "sg-2"],
        bandwidthPackageId: "cbwp-1",
        resourceGroupId: "rg-1",
        name: "lb",
        deleteProtection: "off",
        modificationProtection: "NonProtection",
        additionalResourceTags: { a: "1" },
        preserveLbOnDelete: "false",
    };
    const { zoneMaps: _, ...model } = desired(
        settings,
        {},
        { loadBalancerSourceRanges: ["10.0.0.0/8", "10.0.0.0/8"] },
    ).loadBalancer;
    expect(model).toStrictEqual({
        name: "lb",
        addressType: "intranet",
        ipVersion: "DualStack",
        ipv6AddressType: "internet",
        crossZoneEnabled: "off",
        securityGroupIds: ["sg-1", "sg-2"],
        bandwidthPackageId: "cbwp-1",
        resourceGroupId: "rg-1",
        deleteProtection: "off",
        modificationProtection: "NonProtection",
        additionalTags: { a: "1" },
        preserve: true,
        sourceRanges: ["10.0.0.0/8"],
    });
    expect(
        desired({}, {}, { loadBalancerSourceRanges: ["10.0.0.0/8", "0.0.0.0/0"] }).loadBalancer.sourceRanges,
    ).toStrictEqual([]);
});

test("each port has a listener and, with nodes, a group of its own, named by protocol", () => {
    const { listeners, serverGroups } = desired({ protocolPort: [{ protocol: "tcpssl", port: 443 }], certId: "c-1" });
    expect(
        listeners.map(({ key, protocol, port, serverGroup, attributes }) => [
            key,
            protocol,
            port,
            serverGroup,
            nlbListenerMark({ port, protocol }, OWNER),
            attributes,
        ]),
    ).toStrictEqual([
        ["tcp-80", "tcp", 80, "tcp-80", "k8s.80.TCP.web.shop.c1", { idleTimeout: 900 }],
        ["udp-53", "udp", 53, "udp-53", "k8s.53.UDP.web.shop.c1", {}],
        [
            "tcp-443",
            "tcpssl",
            443,
            "tcp-443",
            "k8s.443.TCPSSL.web.shop.c1",
            { idleTimeout: 900, tlsCipherPolicy: "tls_cipher_policy_1_0" },
        ],
    ]);
    expect(listeners[2]?.tls).toStrictEqual({ certId: "c-1", additionalCertIds: [] });
    expect(
        serverGroups.map(({ key, protocol, preserveClientIp, backendPort, type }) => [
            key,
            protocol,
            preserveClientIp,
            backendPort,
            type,
        ]),
    ).toStrictEqual([
        ["tcp-80", "tcp", true, 30080, "Instance"],
        ["udp-53", "udp", true, undefined, "Instance"],
        ["tcp-443", "tcpssl", false, undefined, "Instance"],
    ]);
    expect(serverGroups[0]?.healthCheck).toStrictEqual({
        enabled: true,
        type: "TCP",
        connectPort: 0,
        connectTimeout: 5,
        interval: 10,
        healthyThreshold: 2,
        unhealthyThreshold: 2,
    });
});

test("pods of one targetPort and protocol form one group; one of another protocol is another", () => {
    const ports = [...PORTS, { name: "more", port: 81, protocol: "TCP", targetPort: 8080 }] as const;
    const { serverGroups } = desired(
        { backendType: "eni", protocolPort: [{ protocol: "tcpssl", port: 443 }], certId: "c" },
        { networkPlugin: "terway" },
        { ports },
    );
    expect(serverGroups.map(({ key, ports: served }) => [key, served.map(({ port }) => port)])).toStrictEqual([
        ["target-tcp-8080", [80, 81]],
        ["target-udp-5353", [53]],
        ["target-tcpssl-8080", [443]],
    ]);
});

test("a range of ports has a group on any port, checked on the targetPort", () => {
    const { listeners, serverGroups } = desired(
        { backendType: "eni", listenerPortRange: [{ from: 80, to: 400, port: 80 }] },
        { networkPlugin: "terway" },
        { ports: PORTS.slice(0, 1) },
    );
    const [listener] = listeners;
    expect([listener?.port, listener?.endPort, listener && nlbListenerMark(listener, OWNER)]).toStrictEqual([
        80,
        400,
        "k8s.80_400.TCP.web.shop.c1",
    ]);
    const [group] = serverGroups;
    expect([
        group?.key,
        group?.anyPort,
        group?.range,
        group?.healthCheck.enabled && group.healthCheck.connectPort,
    ]).toStrictEqual(["tcp-80", true, "80_400", 8080]);
});

test("the health check port is the set one, also for a port range; a named targetPort gives none", () => {
    const range = { backendType: "eni", listenerPortRange: [{ from: 80, to: 400, port: 80 }] } as const;
    const portOf = (settings: Settings, targetPort: number | string = 8080) => {
        const [group] = desired(
            settings,
            { networkPlugin: "terway" },
            { ports: [{ port: 80, protocol: "TCP", targetPort }] },
        ).serverGroups;
        return group?.healthCheck.enabled && group.healthCheck.connectPort;
    };
    expect([
        portOf({ healthCheckConnectPort: 9 }),
        portOf({ ...range, healthCheckConnectPort: 9 }),
        portOf({ ...range, healthCheckConnectPort: 0 }),
    ]).toStrictEqual([9, 9, 0]);
    expect([portOf({}), portOf(range), portOf(range, "http")]).toStrictEqual([0, 8080, 0]);
    expect(portOf({ healthCheckFlag: "off", healthCheckConnectPort: 9 })).toBe(false);
});

test("settings of server groups: scheduling, draining, checks by HTTP, addresses", () => {
    const settings: Settings = {
        scheduler: "wlc",
        connectionDrain: "on",
        connectionDrainTimeout: 0,
        serverGroupType: "Ip",
        backendIpVersion: "dualstack",
        healthCheckType: "http",
        healthCheckMethod: "head",
        healthCheckDomain: "a.example",
        healthyThreshold: 4,
    };
    const [group] = desired(settings).serverGroups;
    expect([
        group?.scheduler,
        group?.drainTimeout,
        group?.type,
        group?.ipVersion,
        group?.preserveClientIp,
    ]).toStrictEqual(["Wlc", 0, "Ip", "dualstack", undefined]);
    expect(group?.healthCheck).toStrictEqual({
        enabled: true,
        type: "HTTP",
        connectPort: 0,
        connectTimeout: 5,
        interval: 10,
        healthyThreshold: 4,
        unhealthyThreshold: 2,
        http: { url: "/", domain: "a.example", method: "HEAD", codes: ["http_2xx"], version: "HTTP1.0" },
    });
    expect(desired({ healthCheckFlag: "off" }).serverGroups[0]?.healthCheck).toStrictEqual({ enabled: false });
});

test("listeners have limits, Proxy Protocol, client certificates, ALPN, additional certificates", () => {
    const settings: Settings = {
        cps: 100,
        idleTimeout: 60,
        proxyProtocol: "on",
        ppv2PvlVpcIdEnabled: "on",
        protocolPort: [{ protocol: "tcpssl", port: 443 }],
        certId: "c",
        additionalCertIds: ["d", "c2", "d"],
        cacert: "on",
        cacertId: "ca",
        alpn: "on",
        alpnPolicy: "HTTP2Only",
        tlsCipherPolicy: "tls-abc",
    };
    const listeners = desired(settings).listeners;
    expect([listeners[1]?.attributes, listeners[1]?.proxyProtocol]).toStrictEqual([
        { cps: 100, idleTimeout: 60 },
        { vpcId: true, endpointId: false, endpointServiceId: false },
    ]);
    expect(listeners[2]?.tls).toStrictEqual({
        certId: "c",
        additionalCertIds: ["c2", "d"],
        caCertId: "ca",
        alpnPolicy: "HTTP2Only",
    });
    expect(listeners[2]?.attributes).toStrictEqual({ cps: 100, idleTimeout: 60, tlsCipherPolicy: "tls-abc" });
    expect(listeners[0]?.tls).toBeUndefined();
});

test("the IP version is fixed, the address type is not", () => {
    expect(
        nlbImmutableFields(service({ addressType: "intranet", resourceGroupId: "rg-1" }), { clusterId: "c1" }),
    ).toStrictEqual({
        loadBalancerType: "nlb",
        clusterId: "c1",
        ipVersion: "ipv4",
        resourceGroupId: "rg-1",
    });
});
