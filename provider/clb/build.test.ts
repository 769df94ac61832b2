/**
 * Requirements: A01, A03, A04, A06, A18, A25, A26, A28, A29, A34, A35, A40, A41, A42, A43, A44, A45, A46, A50, A52,
 * A54, B01, B05, B09, B11, B23, B31, C01, C02, C04, C07, C08, C09, C10, C11, C13, C14, C15, C16, C17, C20, C21, C22,
 * C23, C24, C25, C26, C27, C28, C29, C30, C31, C32, D12, D21, I02, I03, I12, I13, I14, I16, I17, I27, I28, I30, I31,
 * I37, I39, I41, I42, X05, X10, X11, X12, X16, X17, X18.
 */
import { expect, test } from "@jest/globals";
import type { ListenerProtocol } from "../schema/protocols";
import type { Settings } from "../schema/settings";
import { clusterGroupOf } from "../service/annotations";
import type { ClusterFacts } from "../schema/facts";
import type { ClbListener } from "./listener";
import { askedBy, type ClbLoadBalancer, immutableFields, initialCharge, initialGroup } from "./load-balancer";
import type { Service, ServicePort } from "../service/service";
import { buildClb, type ClbDesired } from "../plan/desired";
import { found } from "../../test/support/found";

const PORTS: readonly ServicePort[] = [80, 443].map((port) => ({
    name: `tcp-${port}`,
    port,
    protocol: "TCP",
    targetPort: 8080,
}));

function service(settings: Settings, more: Partial<Service> = {}): Service {
    return {
        namespace: "shop",
        name: "web",
        selector: { app: "web" },
        ports: PORTS,
        externalTrafficPolicy: "Cluster",
        loadBalancerType: "clb",
        loadBalancerSourceRanges: [],
        settings,
        object: {},
        ...more,
    };
}

const desired = (settings: Settings, facts: Partial<ClusterFacts> = {}, more: Partial<Service> = {}): ClbDesired =>
    buildClb(service(settings, more), { clusterId: "c1", ...facts });

/** The first listener, in the protocol asked for. */
function listener(protocol: ListenerProtocol, settings: Settings = {}): ClbListener {
    const udp = protocol === "udp";
    const mapped: Settings =
        protocol === "http" || protocol === "https"
            ? { protocolPort: [{ protocol, port: 80 }], ...(protocol === "https" ? { certId: "cert-1" } : {}) }
            : {};
    const [first] = desired(
        { ...mapped, ...settings },
        {},
        udp ? { ports: [{ port: 80, protocol: "UDP", targetPort: 8080 }] } : {},
    ).listeners;
    expect(first?.protocol).toBe(protocol);
    return found(first, "the listener");
}

test("a Service without settings gets an Internet-facing instance with the documented defaults", () => {
    expect(desired({}).loadBalancer).toStrictEqual({
        addressType: "internet",
        ipVersion: "ipv4",
        instanceChargeType: "PayByCLCU",
        internetChargeType: "PayByTraffic",
        deleteProtection: "on",
        modificationProtection: "ConsoleProtection",
        additionalTags: {},
        preserve: false,
        sourceRanges: [],
    } satisfies ClbLoadBalancer);
});

/** Effects of settings on the instance. */
const INSTANCES: readonly [string, Settings, Partial<ClbLoadBalancer>, Partial<ClusterFacts>?][] = [
    [
        "an internal one takes a vSwitch of the cluster, one that is free",
        { addressType: "intranet" },
        { addressType: "intranet", vswitch: { rule: "available" } },
    ],
    [
        "before v2.13.0 it takes the first one",
        { addressType: "intranet" },
        { vswitch: { rule: "first" } },
        { compatibility: "v2.12.4" },
    ],
    [
        "a named vSwitch, and a static address",
        { addressType: "intranet", vswitchId: "vsw-9", ip: "10.0.0.9" },
        { vswitch: { named: "vsw-9", rule: "available" }, address: "10.0.0.9" },
    ],
    [
        "bandwidth needs its charge type",
        { chargeType: "paybybandwidth", bandwidth: 7 },
        { internetChargeType: "PayByBandwidth", bandwidth: 7 },
    ],
    ["and is 50 Mbps by default", { chargeType: "paybybandwidth" }, { bandwidth: 50 }],
    [
        "a specification",
        { instanceChargeType: "PayBySpec", spec: "slb.s3.small" },
        { instanceChargeType: "PayBySpec", spec: "slb.s3.small" },
    ],
    ["the default specification", { instanceChargeType: "PayBySpec" }, { spec: "slb.s1.small" }],
    [
        "before v2.5.0 instances are paid by specification",
        {},
        { instanceChargeType: "PayBySpec", spec: "slb.s1.small" },
        { compatibility: "v2.4.9" },
    ],
    ["from v2.5.0 on by usage", {}, { instanceChargeType: "PayByCLCU" }, { compatibility: "v2.5.0" }],
    [
        "zones",
        { masterZoneid: "cn-hangzhou-k", slaveZoneid: "cn-hangzhou-j" },
        { masterZoneId: "cn-hangzhou-k", slaveZoneId: "cn-hangzhou-j" },
    ],
    ["IPv6", { ipVersion: "ipv6" }, { ipVersion: "ipv6" }],
    [
        "a name, a group and tags",
        { name: "web-lb", resourceGroupId: "rg-1", additionalResourceTags: { a: "b" } },
        { name: "web-lb", resourceGroupId: "rg-1", additionalTags: { a: "b" } },
    ],
    [
        "no protection",
        { deleteProtection: "off", modificationProtection: "NonProtection" },
        { deleteProtection: "off", modificationProtection: "NonProtection" },
    ],
    ["any text preserves", { preserveLbOnDelete: "false" }, { preserve: true }],
];

for (const [what, settings, expected, facts] of INSTANCES) {
    test(`instance: ${what}`, () => {
        const actual: Partial<ClbLoadBalancer> = desired(settings, facts).loadBalancer;
        for (const [field, value] of Object.entries(expected)) {
            expect([field, actual[field as keyof ClbLoadBalancer]]).toStrictEqual([field, value]);
        }
    });
}

test("an internal instance has no traffic charge, and pay-by-usage has no specification", () => {
    const internal = desired({ addressType: "intranet", vswitchId: "vsw-1" }).loadBalancer;
    expect([internal.internetChargeType, internal.bandwidth, internal.spec]).toStrictEqual([
        undefined,
        undefined,
        undefined,
    ]);
});

test("a listener for each port, with the documented defaults of its protocol", () => {
    const common = {
        key: "tcp-80",
        port: 80,
        serverGroup: "tcp-80",
        scheduler: "rr",
        access: { status: "off" },
    };
    const check = { healthCheckConnectPort: -520, healthCheckInterval: 2, healthyThreshold: 3, unhealthyThreshold: 3 };
    const web = {
        idleTimeout: 15,
        requestTimeout: 60,
        xforwardedforProto: "off",
        xforwardedforSlbport: "off",
        xforwardedforClientsrcport: "off",
    };
    const webCheck = { enabled: false, type: "http", timeout: 5, method: "head" };
    expect(listener("tcp")).toStrictEqual({
        ...common,
        protocol: "tcp",
        healthCheck: { enabled: true, type: "tcp", timeout: 5 },
        attributes: { ...check, proxyProtocol: "off", persistenceTimeout: 0, establishedTimeout: 900 },
    });
    expect(listener("udp")).toStrictEqual({
        ...common,
        key: "udp-80",
        serverGroup: "udp-80",
        protocol: "udp",
        healthCheck: { enabled: true, type: "udp", timeout: 5 },
        attributes: { ...check, proxyProtocol: "off" },
    });
    expect(listener("http")).toStrictEqual({
        ...common,
        protocol: "http",
        healthCheck: webCheck,
        attributes: web,
        stickySession: { kind: "off" },
    });
    expect(listener("https")).toStrictEqual({
        ...common,
        protocol: "https",
        healthCheck: webCheck,
        attributes: { ...web, tlsCipherPolicy: "tls_cipher_policy_1_0", http2Enabled: "on" },
        stickySession: { kind: "off" },
        tls: { certId: "cert-1", domains: [] },
    });
});

test("without protocol-port a TCP port is a TCP listener, whatever its number", () => {
    expect(desired({}).listeners.map(({ protocol, port }) => `${protocol}:${port}`)).toStrictEqual([
        "tcp:80",
        "tcp:443",
    ]);
});

test("Local alone changes no algorithm: rr stays", () => {
    const { listeners } = desired({}, {}, { externalTrafficPolicy: "Local" });
    expect(listeners.map(({ scheduler }) => scheduler)).toStrictEqual(["rr", "rr"]);
});

/** Effects of settings on a listener: a path into it, and the value there. */
const LISTENERS: readonly [string, ListenerProtocol, Settings, string, unknown][] = [
    ["scheduling", "tcp", { scheduler: "tch" }, "scheduler", "tch"],
    [
        "a list of addresses",
        "tcp",
        { aclStatus: "on", aclType: "black", aclId: "acl-1" },
        "access",
        { status: "on", type: "black", aclIds: ["acl-1"] },
    ],
    [
        "several lists of addresses",
        "tcp",
        { aclStatus: "on", aclType: "white", aclId: "acl-1,acl-2,acl-1" },
        "access",
        { status: "on", type: "white", aclIds: ["acl-1", "acl-2"] },
    ],
    [
        "a list that is switched off",
        "tcp",
        { aclStatus: "off", aclType: "black", aclId: "acl-1" },
        "access",
        { status: "off" },
    ],
    ["persistence of TCP", "tcp", { persistenceTimeout: 1800 }, "attributes.persistenceTimeout", 1800],
    [
        "persistence has no effect on UDP",
        "udp",
        { persistenceTimeout: 1800 },
        "attributes.persistenceTimeout",
        undefined,
    ],
    ["the connection timeout of TCP", "tcp", { establishedTimeout: 60 }, "attributes.establishedTimeout", 60],
    [
        "the connection timeout has no effect on UDP",
        "udp",
        { establishedTimeout: 60 },
        "attributes.establishedTimeout",
        undefined,
    ],
    ["proxy protocol", "udp", { proxyProtocol: "on" }, "attributes.proxyProtocol", "on"],
    ["Proxy Protocol has no effect on HTTP", "http", { proxyProtocol: "on" }, "attributes.proxyProtocol", undefined],
    [
        "draining has no effect on HTTP",
        "http",
        { connectionDrain: "on", connectionDrainTimeout: 30 },
        "drainTimeout",
        undefined,
    ],
    ["draining", "udp", { connectionDrain: "on", connectionDrainTimeout: 30 }, "drainTimeout", 30],
    ["a draining time alone", "tcp", { connectionDrainTimeout: 30 }, "drainTimeout", undefined],
    [
        "cookies of the load balancer",
        "http",
        { stickySession: "on", stickySessionType: "insert", cookieTimeout: 1800 },
        "stickySession",
        { kind: "insert", timeout: 1800 },
    ],
    [
        "cookies of the backend",
        "https",
        { stickySession: "on", stickySessionType: "server", cookie: "my-cookie" },
        "stickySession",
        { kind: "server", cookie: "my-cookie" },
    ],
    [
        "forwarded headers",
        "http",
        { xforwardedforProto: "on", xforwardedforSlbport: "on", xforwardedforClientsrcport: "on" },
        "attributes",
        {
            idleTimeout: 15,
            requestTimeout: 60,
            xforwardedforProto: "on",
            xforwardedforSlbport: "on",
            xforwardedforClientsrcport: "on",
        },
    ],
    ["the idle timeout", "https", { idleTimeout: 30 }, "attributes.idleTimeout", 30],
    ["the request timeout", "http", { requestTimeout: 90 }, "attributes.requestTimeout", 90],
    ["the idle timeout has no effect on TCP", "tcp", { idleTimeout: 30 }, "attributes.idleTimeout", undefined],
    ["the request timeout has no effect on TCP", "tcp", { requestTimeout: 90 }, "attributes.requestTimeout", undefined],
    [
        "the TLS policy",
        "https",
        { tlsCipherPolicy: "tls_cipher_policy_1_2_strict" },
        "attributes.tlsCipherPolicy",
        "tls_cipher_policy_1_2_strict",
    ],
    [
        "TLS has no effect on HTTP",
        "http",
        { tlsCipherPolicy: "tls_cipher_policy_1_2_strict" },
        "attributes.tlsCipherPolicy",
        undefined,
    ],
    ["HTTP listeners have no certificates", "http", {}, "tls", undefined],
    ["HTTP/2 has no effect on HTTP", "http", { http2Enabled: "on" }, "attributes.http2Enabled", undefined],
    ["HTTP/2 switched off", "https", { http2Enabled: "off" }, "attributes.http2Enabled", "off"],
    [
        "further domains",
        "https",
        { domainExtensions: [{ domain: "a.b", certId: "c" }] },
        "tls.domains",
        [{ domain: "a.b", certId: "c" }],
    ],
    ["checks of UDP switched off", "udp", { healthCheckSwitch: "off" }, "healthCheck.enabled", false],
    ["checks of TCP switched off", "tcp", { healthCheckSwitch: "off" }, "healthCheck.enabled", false],
    ["the flag has no effect on TCP", "tcp", { healthCheckFlag: "off" }, "healthCheck.enabled", true],
    ["checks of HTTP switched on", "http", { healthCheckFlag: "on" }, "healthCheck.enabled", true],
    ["the switch has no effect on HTTP", "http", { healthCheckSwitch: "on" }, "healthCheck.enabled", false],
    ["checks of TCP by HTTP", "tcp", { healthCheckType: "http", healthCheckUri: "/live" }, "healthCheck.type", "http"],
    ["UDP is checked by UDP", "udp", { healthCheckType: "http" }, "healthCheck.type", "udp"],
    ["the connection timeout of a check", "udp", { healthCheckConnectTimeout: 9 }, "healthCheck.timeout", 9],
    [
        "the connection timeout of a check of TCP by TCP",
        "tcp",
        { healthCheckConnectTimeout: 9, healthCheckTimeout: 30 },
        "healthCheck.timeout",
        9,
    ],
    [
        "the answer timeout of a check of TCP by HTTP",
        "tcp",
        { healthCheckType: "http", healthCheckUri: "/", healthCheckConnectTimeout: 9, healthCheckTimeout: 30 },
        "healthCheck.timeout",
        30,
    ],
    [
        "the connection timeout of a check of TCP by HTTP without an answer timeout",
        "tcp",
        { healthCheckType: "http", healthCheckUri: "/", healthCheckConnectTimeout: 9 },
        "healthCheck.timeout",
        9,
    ],
    [
        "a timeout of UDP below the interval is the interval",
        "udp",
        { healthCheckConnectTimeout: 3, healthCheckInterval: 10 },
        "healthCheck.timeout",
        10,
    ],
    [
        "a timeout below the interval is the interval",
        "tcp",
        { healthCheckConnectTimeout: 3, healthCheckInterval: 10 },
        "healthCheck.timeout",
        10,
    ],
    ["the default timeout below the interval too", "tcp", { healthCheckInterval: 10 }, "healthCheck.timeout", 10],
    [
        "an answer timeout below the interval is the interval",
        "http",
        { healthCheckTimeout: 3, healthCheckInterval: 10 },
        "healthCheck.timeout",
        10,
    ],
    [
        "the answer timeout of HTTP",
        "https",
        { healthCheckTimeout: 30, healthCheckConnectTimeout: 7 },
        "healthCheck.timeout",
        30,
    ],
    ["thresholds", "tcp", { healthyThreshold: 4 }, "attributes.healthyThreshold", 4],
    [
        "thresholds of failure",
        "http",
        { healthCheckFlag: "on", unhealthyThreshold: 7 },
        "attributes.unhealthyThreshold",
        7,
    ],
    ["the path", "http", { healthCheckFlag: "on", healthCheckUri: "/live" }, "attributes.healthCheckUri", "/live"],
    [
        "the path of a check by HTTP",
        "tcp",
        { healthCheckType: "http", healthCheckUri: "/live" },
        "attributes.healthCheckUri",
        "/live",
    ],
    [
        "the path has no effect on a check by TCP",
        "tcp",
        { healthCheckUri: "/live" },
        "attributes.healthCheckUri",
        undefined,
    ],
    [
        "the codes",
        "https",
        { healthCheckFlag: "on", healthCheckHttpcode: ["http_2xx", "http_3xx"] },
        "attributes.healthCheckHttpcode",
        ["http_2xx", "http_3xx"],
    ],
    ["the codes by default", "http", { healthCheckFlag: "on" }, "attributes.healthCheckHttpcode", ["http_2xx"]],
    ["the backend's own address", "http", { healthCheckDomain: "$_ip" }, "healthCheck.domain", "$_ip"],
    ["the method", "http", { healthCheckMethod: "get" }, "healthCheck.method", "get"],
];

for (const [what, protocol, settings, path, expected] of LISTENERS) {
    test(`listener: ${what}`, () => {
        const observed = path
            .split(".")
            .reduce<unknown>(
                (value, key) => (value as Record<string, unknown> | undefined)?.[key],
                listener(protocol, settings),
            );
        expect(observed).toStrictEqual(expected);
    });
}

test("persistence applies to every TCP listener, and cookies to every HTTP and HTTPS listener", () => {
    const ports: ServicePort[] = [1, 2, 3, 4, 5, 6].map((port) => ({
        name: `port-${port}`,
        port,
        protocol: port === 6 ? "UDP" : "TCP",
        targetPort: 8080,
    }));
    const settings: Settings = {
        protocolPort: [
            { protocol: "http", port: 3 },
            { protocol: "http", port: 4 },
            { protocol: "https", port: 5 },
        ],
        certId: "cert-1",
        persistenceTimeout: 60,
        stickySession: "on",
        stickySessionType: "insert",
        cookieTimeout: 1800,
    };
    const cookie = { kind: "insert", timeout: 1800 };
    expect(
        desired(settings, {}, { ports }).listeners.map(({ protocol, attributes, stickySession }) => [
            protocol,
            attributes.persistenceTimeout,
            stickySession,
        ]),
    ).toStrictEqual([
        ["tcp", 60, undefined],
        ["tcp", 60, undefined],
        ["http", undefined, cookie],
        ["http", undefined, cookie],
        ["https", undefined, cookie],
        ["udp", undefined, undefined],
    ]);
});

test("a port that redirects names its target, is not checked, and has no settings of its own", () => {
    const settings: Settings = {
        protocolPort: [
            { protocol: "http", port: 80 },
            { protocol: "https", port: 443 },
        ],
        certId: "cert-1",
        forwardPort: [{ http: 80, https: 443 }],
        idleTimeout: 30,
        healthCheckFlag: "on",
    };
    const [http, https] = desired(settings).listeners;
    expect([http?.forwardTo, http?.healthCheck.enabled, http?.attributes]).toStrictEqual(["tcp-443", false, {}]);
    expect([https?.forwardTo, https?.healthCheck.enabled, https?.attributes.idleTimeout]).toStrictEqual([
        undefined,
        true,
        30,
    ]);
});

test("TCP and UDP of one port are two listeners on two groups", () => {
    const ports: ServicePort[] = (["TCP", "UDP"] as const).map((protocol) => ({
        name: protocol.toLowerCase(),
        port: 53,
        protocol,
        targetPort: 53,
    }));
    const { listeners, serverGroups } = desired({}, {}, { ports });
    expect(listeners.map(({ key, protocol, serverGroup }) => [key, protocol, serverGroup])).toStrictEqual([
        ["tcp-53", "tcp", "tcp-53"],
        ["udp-53", "udp", "udp-53"],
    ]);
    expect(serverGroups).toHaveLength(2);
});

test("nodes have a group for each port, pods one for each targetPort", () => {
    const nodes = desired(
        {},
        {},
        { ports: PORTS.map((port) => ({ ...port, nodePort: 30000 + port.port })) },
    ).serverGroups;
    expect(nodes.map(({ key, kind, backendPort }) => [key, kind, backendPort])).toStrictEqual([
        ["tcp-80", "ecs", 30080],
        ["tcp-443", "ecs", 30443],
    ]);
    const pods = desired({ backendType: "eni" }, { networkPlugin: "terway" }).serverGroups;
    expect(pods.map(({ key, kind, backendPort, ports }) => [key, kind, backendPort, ports.length])).toStrictEqual([
        ["target-8080", "eni", 8080, 2],
    ]);
});

test("a reused instance gets a vServer group for each port and protocol, and no listener unasked", () => {
    const dns = [
        { name: "web", protocol: "TCP" as const, port: 80, targetPort: 8080, nodePort: 30080 },
        { name: "dns", protocol: "UDP" as const, port: 53, targetPort: 5353, nodePort: 30053 },
    ];
    const { serverGroups, listeners } = desired({ id: "lb-1" }, {}, { ports: dns });
    expect(serverGroups.map(({ key, backendPort }) => [key, backendPort])).toStrictEqual([
        ["tcp-80", 30080],
        ["udp-53", 30053],
    ]);
    expect(listeners).toStrictEqual([]);
});

/** Ranges of the Service, and who may connect. */
const RANGES: readonly [string, readonly string[], Settings, readonly string[]][] = [
    ["ranges are kept once each", ["10.0.0.0/8", "192.168.0.0/16", "10.0.0.0/8"], {}, ["10.0.0.0/8", "192.168.0.0/16"]],
    ["a range for every address restricts no client", ["10.0.0.0/8", "0.0.0.0/0"], {}, []],
    [
        "only those of the instance's IP version",
        ["10.0.0.0/8", "2001:db8::/32"],
        { ipVersion: "ipv6" },
        ["2001:db8::/32"],
    ],
    [
        "a list that is named takes their place",
        ["10.0.0.0/8"],
        { aclStatus: "on", aclId: "acl-1", aclType: "white" },
        [],
    ],
];

for (const [what, loadBalancerSourceRanges, settings, expected] of RANGES) {
    test(`sources: ${what}`, () => {
        const { loadBalancer, listeners } = desired(settings, {}, { loadBalancerSourceRanges });
        expect(loadBalancer.sourceRanges).toStrictEqual(expected);
        const guard =
            expected.length > 0
                ? { status: "on", type: "white", aclIds: undefined }
                : settings.aclId === undefined
                  ? { status: "off" }
                  : { status: "on", type: "white", aclIds: ["acl-1"] };
        expect(listeners.every(({ access }) => JSON.stringify(access) === JSON.stringify(guard))).toBeTruthy();
    });
}

test("from CCM v2.9.1 on, an instance is by default in the resource group of the cluster", () => {
    const group = (facts: Partial<ClusterFacts>) => clusterGroupOf({ resourceGroupId: "rg-cluster", ...facts });
    expect(group({})).toBe("rg-cluster");
    expect(desired({ resourceGroupId: "rg-own" }).loadBalancer.resourceGroupId).toBe("rg-own");
    expect(group({ compatibility: "v2.9.0" })).toBeUndefined();
    expect(group({ compatibility: "v2.9.1" })).toBe("rg-cluster");
    const facts = { clusterId: "c1", resourceGroupId: "rg-cluster" };
    expect(initialGroup({}, facts)).toStrictEqual({ resourceGroupId: "rg-cluster" });
    for (const settings of [{ id: "lb-1" }, { resourceGroupId: "rg-own" }])
        expect(initialGroup(settings, facts)).toStrictEqual({});
    expect(immutableFields({}, facts)["resourceGroupId"]).toBeUndefined();
    expect(immutableFields({ resourceGroupId: "rg-own" }, facts)["resourceGroupId"]).toBe("rg-own");
});

test("immutable fields are those that are set or have a default", () => {
    expect(immutableFields(service({}).settings, { clusterId: "c1" })).toStrictEqual({
        addressType: "internet",
        ipVersion: "ipv4",
        loadBalancerType: "clb",
        clusterId: "c1",
    });
    const fields = immutableFields(
        service({ vswitchId: "vsw-1", ip: "10.0.0.9", masterZoneid: "a", slaveZoneid: "b", resourceGroupId: "rg-1" })
            .settings,
        { clusterId: "c1" },
    );
    expect([
        fields["vswitchId"],
        fields["ip"],
        fields["masterZoneid"],
        fields["slaveZoneid"],
        fields["resourceGroupId"],
    ]).toStrictEqual(["vsw-1", "10.0.0.9", "a", "b", "rg-1"]);
});

const OLD = "v2.4.0";

test.each<
    [string, Settings, string | undefined, string | undefined, string | undefined, readonly string[] | undefined]
>([
    // Settings, required charge type, initial charge type today and at v2.4.0, settings that require it.
    ["nothing", {}, undefined, "PayByCLCU", "PayBySpec", undefined],
    ["by usage", { instanceChargeType: "PayByCLCU" }, "PayByCLCU", undefined, undefined, undefined],
    ["by specification", { instanceChargeType: "PayBySpec" }, "PayBySpec", undefined, undefined, undefined],
    ["a specification", { spec: "slb.s2.small" }, "PayBySpec", undefined, undefined, ["spec"]],
    ["traffic", { chargeType: "paybytraffic" }, undefined, "PayByCLCU", "PayBySpec", undefined],
    [
        "bandwidth",
        { chargeType: "paybybandwidth", bandwidth: 5 },
        "PayBySpec",
        undefined,
        undefined,
        ["chargeType", "bandwidth"],
    ],
    [
        "all of it",
        { instanceChargeType: "PayBySpec", spec: "slb.s2.small", chargeType: "paybybandwidth" },
        "PayBySpec",
        undefined,
        undefined,
        ["instanceChargeType", "spec", "chargeType"],
    ],
    ["a reused instance", { id: "lb-1", spec: "slb.s2.small" }, undefined, undefined, undefined, undefined],
])("how an instance is paid for where a Service states %s", (_what, settings, requested, today, before, asking) => {
    const facts = { clusterId: "c1" };
    expect([
        immutableFields(settings, facts)["instanceChargeType"],
        initialCharge(settings, facts)["instanceChargeType"],
        initialCharge(settings, { ...facts, compatibility: OLD })["instanceChargeType"],
        askedBy(settings)["instanceChargeType"],
    ]).toStrictEqual([requested, today, before, asking]);
});

test("an internal instance is established with the IP version that it is made with", () => {
    expect(immutableFields({ addressType: "intranet", ipVersion: "ipv6" }, { clusterId: "c1" })["ipVersion"]).toBe(
        "ipv4",
    );
});
