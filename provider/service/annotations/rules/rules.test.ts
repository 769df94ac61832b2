/**
 * Requirements: A02, A04, A06, A09, A10, A11, A12, A13, A19, A22, A23, A26, A27, A28, A29, A30, A31, A32, A33, A34,
 * A35, A36, A42, A46, A50, A51, A54, A56, A58, A59, A66, B05, B07, B08, B11, B12, B13, B14, B15, B16, B17, B27, C03,
 * C05, C08, C09, C11, C12, C13, C14, C15, C20, C21, C24, C25, C28, C29, C30, C31, C32, D10, D11, D13, D14, D22, E14,
 * E15, E20, G07, G14, G32, H06, H11, I01, I02, I03, I06, I13, I16, I17, I21, I27, I29, I32, I33, I34, I35, I36, I38,
 * I42, I43, I49, X02, X03, X08, X18, X20, X21, X27.
 */
import { expect, test } from "@jest/globals";
import { applyRules, keyOfSetting, listenerProtocolOf, type SettingName, type Settings } from "..";
import type { ClusterFacts } from "../../../schema/facts";
import type { LoadBalancerType } from "../../../schema/load-balancer-type";
import type { ListenerProtocol } from "../../../schema/protocols";

interface Situation {
    readonly ports?: readonly {
        readonly port: number;
        readonly protocol: "TCP" | "UDP";
        readonly targetPort: number | string;
        readonly nodePort?: number;
    }[];
    readonly facts?: Partial<ClusterFacts>;
    readonly policy?: "Cluster" | "Local";
    readonly type?: LoadBalancerType;
    /** Settings whose value was refused. */
    readonly refused?: readonly SettingName[];
}

const tcp = (
    port: number,
    targetPort: number | string = port,
): { port: number; protocol: "TCP"; targetPort: number | string } => ({ port, protocol: "TCP", targetPort });
const udp = (port: number): { port: number; protocol: "UDP"; targetPort: number } => ({
    port,
    protocol: "UDP",
    targetPort: port,
});

/** Returns the reports of the rules, as `severity code where`. */
function apply(
    settings: Settings,
    { ports = [tcp(80), tcp(443)], facts, policy = "Cluster", refused = [], type = "clb" }: Situation = {},
): string[] {
    const readable = !refused.includes("protocolPort");
    return applyRules({
        type,
        settings,
        attempted: new Set([...(Object.keys(settings) as SettingName[]), ...refused]),
        facts: { clusterId: "c1", ...facts },
        ports,
        externalTrafficPolicy: policy,
        protocols: readable ? ports.map((port) => listenerProtocolOf(port, settings)) : undefined,
    }).map(
        (diagnostic) =>
            `${diagnostic.severity} ${diagnostic.code} ${diagnostic.setting ?? diagnostic.place.path?.join(".")}`,
    );
}

const http80 = [{ protocol: "http", port: 80 }] as const;
const https443 = [{ protocol: "https", port: 443 }] as const;
const both = [...http80, ...https443];
const oneGroup = [80, 443].map((port) => ({ vgroupId: "rsp-1", port }));
const checked = { healthCheckFlag: "on", healthCheckUri: "/" } as const;
const terway = { facts: { networkPlugin: "terway" } } as const;

const table: readonly [name: string, settings: Settings, situation: Situation, expected: readonly string[]][] = [
    ["nothing set", {}, {}, []],

    ["internal with vSwitch", { addressType: "intranet", vswitchId: "vsw-1" }, {}, []],
    ["internal without vSwitch", { addressType: "intranet" }, {}, ["error annotation-companion addressType"]],
    [
        "internal with a vSwitch of the cluster",
        { addressType: "intranet" },
        { facts: { vswitches: ["vsw-1"] } },
        ["warning annotation-effect addressType"],
    ],
    [
        "internal without vSwitch, where no cluster is asked",
        { addressType: "intranet" },
        { facts: { offline: true } },
        ["warning annotation-effect addressType"],
    ],
    ["internal with a refused vSwitch", { addressType: "intranet" }, { refused: ["vswitchId"] }, []],
    ["a vSwitch of a public load balancer", { vswitchId: "vsw-1" }, {}, ["error annotation-companion vswitchId"]],
    [
        "a vSwitch of an explicitly public load balancer",
        { addressType: "internet", vswitchId: "vsw-1" },
        {},
        ["error annotation-companion vswitchId"],
    ],

    ["specification, paid by specification", { instanceChargeType: "PayBySpec", spec: "slb.s1.small" }, {}, []],
    [
        "specification, paid by usage",
        { instanceChargeType: "PayByCLCU", spec: "slb.s1.small" },
        {},
        ["error annotation-exclusion spec"],
    ],
    ["specification where usage is the default", { spec: "slb.s1.small" }, {}, ["error annotation-exclusion spec"]],
    [
        "the same at the version of the change",
        { spec: "slb.s1.small" },
        { facts: { compatibility: "v2.5.0" } },
        ["error annotation-exclusion spec"],
    ],
    [
        "specification where specification is the default",
        { spec: "slb.s1.small" },
        { facts: { compatibility: "v2.4.9" } },
        [],
    ],
    [
        "a way to pay by default where the sources disagree about it",
        {},
        { facts: { compatibility: "v2.5.0" } },
        ["warning annotation-effect instanceChargeType"],
    ],
    [
        "the same just before the later of the two",
        {},
        { facts: { compatibility: "v2.12.0" } },
        ["warning annotation-effect instanceChargeType"],
    ],
    ["the same before both", {}, { facts: { compatibility: "v2.4.9" } }, []],
    ["the same after both", {}, { facts: { compatibility: "v2.12.1" } }, []],
    [
        "a way to pay where the sources disagree",
        { instanceChargeType: "PayByCLCU" },
        { facts: { compatibility: "v2.5.0" } },
        [],
    ],
    [
        "a way to pay that follows from another setting",
        { chargeType: "paybybandwidth", bandwidth: 5 },
        { facts: { compatibility: "v2.5.0" } },
        [],
    ],
    ["specification with a refused way to pay", { spec: "slb.s1.small" }, { refused: ["instanceChargeType"] }, []],

    ["bandwidth, paid by bandwidth", { chargeType: "paybybandwidth", bandwidth: 5 }, {}, []],
    [
        "bandwidth, paid by usage",
        { instanceChargeType: "PayByCLCU", chargeType: "paybybandwidth", bandwidth: 5 },
        {},
        ["error annotation-exclusion chargeType"],
    ],
    ["bandwidth with a specification", { chargeType: "paybybandwidth", bandwidth: 5, spec: "slb.s1.small" }, {}, []],
    [
        "bandwidth, paid by traffic",
        { chargeType: "paybytraffic", bandwidth: 5 },
        {},
        ["error annotation-companion bandwidth"],
    ],
    ["bandwidth alone", { bandwidth: 5 }, {}, ["error annotation-companion bandwidth"]],
    [
        "paid by bandwidth without one",
        { chargeType: "paybybandwidth" },
        {},
        ["warning annotation-companion chargeType"],
    ],
    [
        "traffic of an internal load balancer",
        { addressType: "intranet", vswitchId: "vsw-1", chargeType: "paybybandwidth", bandwidth: 5 },
        {},
        ["error annotation-exclusion chargeType", "error annotation-exclusion bandwidth"],
    ],

    ["one zone", { masterZoneid: "cn-hangzhou-k" }, {}, ["error annotation-companion masterZoneid"]],
    ["the other zone", { slaveZoneid: "cn-hangzhou-j" }, {}, ["error annotation-companion slaveZoneid"]],
    ["both zones", { masterZoneid: "cn-hangzhou-k", slaveZoneid: "cn-hangzhou-j" }, {}, []],
    ["an address alone", { ip: "10.0.0.9" }, {}, ["error annotation-companion ip"]],
    ["an address with everything it needs", { addressType: "intranet", vswitchId: "vsw-1", ip: "10.0.0.9" }, {}, []],
    ["IPv6", { ipVersion: "ipv6" }, { facts: { kubeProxyMode: "ipvs" } }, ["warning annotation-effect ipVersion"]],
    [
        "IPv6 without IPVS",
        { ipVersion: "ipv6" },
        { facts: { kubeProxyMode: "iptables" } },
        ["error annotation-exclusion ipVersion", "warning annotation-effect ipVersion"],
    ],
    [
        "IPv6 while the mode of kube-proxy is not known",
        { ipVersion: "ipv6" },
        {},
        ["warning annotation-effect ipVersion", "warning annotation-effect ipVersion"],
    ],
    [
        "internal IPv6 with an IPv4 address",
        { ipVersion: "ipv6", addressType: "intranet", vswitchId: "vsw-1", ip: "10.0.0.9" },
        { facts: { kubeProxyMode: "ipvs" } },
        ["error annotation-exclusion ip", "warning annotation-effect ipVersion"],
    ],

    [
        "override without an instance",
        { forceOverrideListeners: "true" },
        {},
        ["warning annotation-companion forceOverrideListeners"],
    ],
    [
        "an instance shared before sharing was possible",
        { id: "lb-1" },
        { facts: { compatibility: "v1.9.3.90" } },
        ["warning annotation-version id"],
    ],
    [
        "an instance before reuse was possible",
        { id: "lb-1" },
        { facts: { compatibility: "v1.9.3.80" } },
        ["error annotation-version id", "warning annotation-version id"],
    ],
    [
        "an instance from the version on that lets one Service reuse it",
        { id: "lb-1" },
        { facts: { compatibility: "v1.9.3.81" } },
        ["warning annotation-version id"],
    ],
    [
        "an instance just before sharing was possible",
        { id: "lb-1" },
        { facts: { compatibility: "v1.9.3.104" } },
        ["warning annotation-version id"],
    ],
    [
        "an instance from the version on that lets several Services share it",
        { id: "lb-1" },
        { facts: { compatibility: "v1.9.3.105" } },
        [],
    ],
    ["tags on a reused instance", { id: "lb-1", additionalResourceTags: { a: "b" } }, {}, []],
    [
        "the same before that was possible",
        { id: "lb-1", additionalResourceTags: { a: "b" } },
        { facts: { compatibility: "v2.9.9" } },
        ["error annotation-exclusion additionalResourceTags"],
    ],
    [
        "the same from the version on that allows it",
        { id: "lb-1", additionalResourceTags: { a: "b" } },
        { facts: { compatibility: "v2.10.0" } },
        [],
    ],
    [
        "a tag that marks the owner",
        { additionalResourceTags: { "ack.aliyun.com": "x", "kubernetes.do.not.delete": "y" } },
        {},
        ["error annotation-value additionalResourceTags", "error annotation-value additionalResourceTags"],
    ],
    ["preserved by true", { preserveLbOnDelete: "true" }, {}, []],
    ["preserved by false", { preserveLbOnDelete: "false" }, {}, ["warning annotation-effect preserveLbOnDelete"]],
    ["preserved by a blank", { preserveLbOnDelete: " " }, {}, ["warning annotation-effect preserveLbOnDelete"]],
    ["a host name before HTTP", { hostname: "a.example", protocolPort: http80, ...checked }, { ports: [tcp(80)] }, []],
    [
        "a host name before TCP",
        { hostname: "a.example" },
        {},
        ["warning annotation-companion hostname", "warning annotation-effect hostname"],
    ],

    [
        "a listener for a port that is not there",
        { protocolPort: [{ protocol: "tcp", port: 8080 }] },
        {},
        ["error annotation-port protocolPort"],
    ],
    [
        "a UDP listener for a TCP port",
        { protocolPort: [{ protocol: "udp", port: 80 }] },
        {},
        ["error annotation-port protocolPort"],
    ],
    [
        "an HTTP listener for a UDP port",
        { protocolPort: http80, healthCheckFlag: "on" },
        { ports: [udp(80)] },
        ["error annotation-port protocolPort", "warning annotation-scope healthCheckFlag"],
    ],
    [
        "a port mapped twice",
        { protocolPort: [...http80, { protocol: "tcp", port: 80 }], ...checked },
        {},
        ["error annotation-port protocolPort"],
    ],
    [
        "TCP and UDP of one port mapped",
        {
            protocolPort: [
                { protocol: "tcp", port: 53 },
                { protocol: "udp", port: 53 },
            ],
        },
        { ports: [tcp(53), udp(53)] },
        [],
    ],
    ["HTTP next to UDP on one port", { protocolPort: http80, ...checked }, { ports: [tcp(80), udp(80)] }, []],

    [
        "HTTPS without certificate",
        { protocolPort: https443, ...checked },
        { ports: [tcp(443, 80)] },
        ["error annotation-companion protocolPort"],
    ],
    ["HTTPS with certificate", { protocolPort: https443, certId: "c", ...checked }, { ports: [tcp(443, 80)] }, []],
    [
        "HTTPS to target port 443",
        { protocolPort: https443, certId: "c", ...checked },
        { ports: [tcp(443)] },
        ["warning annotation-effect spec.ports.0.targetPort"],
    ],
    ["a certificate without HTTPS", { certId: "c" }, {}, ["warning annotation-scope certId"]],
    [
        "a redirect",
        { protocolPort: both, certId: "c", forwardPort: [{ http: 80, https: 443 }], ...checked },
        { ports: [tcp(80), tcp(443, 80)] },
        [],
    ],
    [
        "a redirect without anything",
        { forwardPort: [{ http: 80, https: 443 }] },
        {},
        ["error annotation-companion forwardPort", "warning annotation-scope forwardPort"],
    ],
    [
        "a redirect to a listener and a certificate that are missing: one choice",
        { protocolPort: http80, forwardPort: [{ http: 80, https: 443 }], ...checked },
        {},
        ["error annotation-port forwardPort"],
    ],
    [
        "a redirect the wrong way round",
        { protocolPort: both, certId: "c", forwardPort: [{ http: 443, https: 80 }], ...checked },
        { ports: [tcp(80), tcp(443, 80)] },
        ["error annotation-port forwardPort", "error annotation-port forwardPort"],
    ],
    [
        "a port redirected twice",
        {
            protocolPort: both,
            certId: "c",
            forwardPort: [
                { http: 80, https: 443 },
                { http: 80, https: 443 },
            ],
            ...checked,
        },
        { ports: [tcp(80), tcp(443, 80)] },
        ["error annotation-port forwardPort"],
    ],
    [
        "TLS without HTTPS",
        { tlsCipherPolicy: "tls_cipher_policy_1_2" },
        {},
        ["error annotation-companion tlsCipherPolicy", "warning annotation-scope tlsCipherPolicy"],
    ],
    [
        "HTTP/2 without HTTPS",
        { http2Enabled: "off" },
        {},
        ["error annotation-companion http2Enabled", "warning annotation-scope http2Enabled"],
    ],
    [
        "further domains without a certificate",
        { domainExtensions: [{ domain: "a.b", certId: "c" }], protocolPort: https443, ...checked },
        { ports: [tcp(443, 80)] },
        ["error annotation-companion domainExtensions", "error annotation-companion protocolPort"],
    ],

    ["access control", { aclStatus: "on", aclId: "acl-1", aclType: "white" }, {}, []],
    [
        "access control by several lists, which the document does not support",
        { aclStatus: "on", aclId: "acl-1,acl-2", aclType: "white" },
        {},
        ["warning annotation-effect aclId"],
    ],
    ["an algorithm that no document names", { scheduler: "wlc" }, {}, ["warning annotation-undocumented scheduler"]],
    [
        "several lists before their time",
        { instanceChargeType: "PayByCLCU", aclStatus: "on", aclId: "acl-1,acl-2", aclType: "white" },
        { facts: { compatibility: "v2.11.0" } },
        ["error annotation-version aclId"],
    ],
    [
        "several lists from their time on",
        { instanceChargeType: "PayByCLCU", aclStatus: "on", aclId: "acl-1,acl-2", aclType: "white" },
        { facts: { compatibility: "v2.11.1" } },
        ["warning annotation-effect aclId"],
    ],
    ["access control without a list", { aclStatus: "on" }, {}, ["error annotation-companion aclStatus"]],
    ["a list alone", { aclId: "acl-1" }, {}, ["error annotation-companion aclId"]],
    ["access control off", { aclStatus: "off" }, {}, []],
    [
        "sticky by insert",
        { stickySession: "on", stickySessionType: "insert", cookieTimeout: 9, protocolPort: http80, ...checked },
        {},
        [],
    ],
    [
        "sticky by server",
        { stickySession: "on", stickySessionType: "server", cookie: "c", protocolPort: http80, ...checked },
        {},
        [],
    ],
    [
        "sticky without type",
        { stickySession: "on", protocolPort: http80, ...checked },
        {},
        ["error annotation-companion stickySession"],
    ],
    [
        "sticky by insert without timeout",
        { stickySession: "on", stickySessionType: "insert", protocolPort: http80, ...checked },
        {},
        ["error annotation-companion stickySessionType"],
    ],
    [
        "sticky by server without a cookie",
        { stickySession: "on", stickySessionType: "server", protocolPort: http80, ...checked },
        {},
        ["error annotation-companion stickySessionType"],
    ],
    [
        "sticky by server with a timeout instead of a cookie",
        { stickySession: "on", stickySessionType: "server", cookieTimeout: 9, protocolPort: http80, ...checked },
        {},
        ["error annotation-companion stickySessionType", "error annotation-companion cookieTimeout"],
    ],
    [
        "a cookie name out of the ordinary",
        { stickySession: "on", stickySessionType: "server", cookie: "a.b", protocolPort: http80, ...checked },
        {},
        ["warning annotation-effect cookie"],
    ],
    ["draining", { connectionDrain: "on", connectionDrainTimeout: 30 }, {}, []],
    ["draining without a time", { connectionDrain: "on" }, {}, ["error annotation-companion connectionDrain"]],
    [
        "a time without draining",
        { connectionDrainTimeout: 30 },
        {},
        ["error annotation-companion connectionDrainTimeout"],
    ],
    ["draining off", { connectionDrain: "off" }, {}, []],

    [
        "TCP settings of a UDP Service",
        { persistenceTimeout: 9, establishedTimeout: 60 },
        { ports: [udp(53)] },
        ["warning annotation-scope persistenceTimeout", "warning annotation-scope establishedTimeout"],
    ],
    [
        "layer 4 settings of an HTTP Service",
        { proxyProtocol: "on", protocolPort: http80, ...checked },
        { ports: [tcp(80)] },
        ["warning annotation-scope proxyProtocol"],
    ],
    [
        "draining of an HTTP Service",
        { connectionDrain: "on", connectionDrainTimeout: 30, protocolPort: http80, ...checked },
        { ports: [tcp(80)] },
        ["warning annotation-scope connectionDrain", "warning annotation-scope connectionDrainTimeout"],
    ],
    [
        "layer 7 settings of a TCP Service",
        { idleTimeout: 9, requestTimeout: 9, xforwardedforProto: "on" },
        {},
        [
            "warning annotation-scope xforwardedforProto",
            "warning annotation-scope idleTimeout",
            "warning annotation-scope requestTimeout",
        ],
    ],
    ["the same where the listeners are unknown", { idleTimeout: 9 }, { refused: ["protocolPort"] }, []],

    ["wrr and Local", { scheduler: "wrr" }, { policy: "Local" }, []],
    ["rr and Local", { scheduler: "rr" }, { policy: "Local" }, ["warning annotation-effect scheduler"]],
    ["Local alone", {}, { policy: "Local" }, ["warning annotation-effect spec.externalTrafficPolicy"]],
    ["Local with pods as backends", {}, { policy: "Local", ...terway }, []],
    [
        "a hash on HTTP",
        { scheduler: "sch", protocolPort: http80, ...checked },
        {},
        ["warning annotation-effect scheduler"],
    ],
    ["a hash on TCP", { scheduler: "tch" }, {}, []],

    ["HTTP without checks", { protocolPort: http80 }, {}, ["warning annotation-effect protocolPort"]],
    [
        "HTTPS without checks",
        { protocolPort: https443, certId: "c" },
        { ports: [tcp(443, 80)] },
        ["warning annotation-effect protocolPort"],
    ],
    [
        "HTTP with checks off",
        { protocolPort: http80, healthCheckFlag: "off" },
        {},
        ["warning annotation-effect healthCheckFlag"],
    ],
    [
        "HTTP checks without a path",
        { protocolPort: http80, healthCheckFlag: "on" },
        {},
        ["warning annotation-companion healthCheckFlag"],
    ],
    [
        "HTTP checks with a refused path",
        { protocolPort: http80, healthCheckFlag: "on" },
        { refused: ["healthCheckUri"] },
        [],
    ],
    ["HTTP with a refused flag", { protocolPort: http80 }, { refused: ["healthCheckFlag"] }, []],
    ["TCP with checks off", { healthCheckSwitch: "off" }, {}, ["warning annotation-effect healthCheckSwitch"]],
    [
        "UDP with checks off",
        { healthCheckSwitch: "off" },
        { ports: [udp(53)] },
        ["warning annotation-effect healthCheckSwitch"],
    ],
    ["the flag of HTTP on TCP", { healthCheckFlag: "off" }, {}, ["warning annotation-scope healthCheckFlag"]],
    [
        "a connection timeout below the interval",
        { healthCheckConnectTimeout: 3, healthCheckInterval: 10 },
        {},
        ["warning annotation-effect healthCheckConnectTimeout"],
    ],
    [
        "a connection timeout below the default interval",
        { healthCheckConnectTimeout: 1 },
        {},
        ["warning annotation-effect healthCheckConnectTimeout"],
    ],
    ["a timeout that equals the interval", { healthCheckConnectTimeout: 10, healthCheckInterval: 10 }, {}, []],
    [
        "an answer timeout below the interval",
        { protocolPort: http80, ...checked, healthCheckTimeout: 2, healthCheckInterval: 3 },
        {},
        ["warning annotation-effect healthCheckTimeout"],
    ],
    ["checks by HTTP without a path", { healthCheckType: "http" }, {}, ["error annotation-companion healthCheckType"]],
    [
        "checks of TCP by HTTP",
        { healthCheckType: "http", healthCheckUri: "/", healthCheckHttpcode: ["http_2xx"], healthCheckTimeout: 5 },
        {},
        [],
    ],
    [
        "HTTP details of checks by TCP",
        { healthCheckUri: "/", healthCheckTimeout: 5 },
        {},
        ["warning annotation-scope healthCheckUri", "warning annotation-scope healthCheckTimeout"],
    ],
    ["HTTP details with a refused type", { healthCheckUri: "/" }, { refused: ["healthCheckType"] }, []],
    ["HTTP details of UDP", { healthCheckUri: "/" }, { ports: [udp(53)] }, ["warning annotation-scope healthCheckUri"]],
    [
        "checks of HTTP by TCP",
        { protocolPort: http80, ...checked, healthCheckType: "tcp" },
        { ports: [tcp(80)] },
        ["warning annotation-effect healthCheckType"],
    ],

    [
        "pods as backends on Flannel",
        { backendType: "eni" },
        { facts: { networkPlugin: "flannel" } },
        ["error annotation-exclusion backendType"],
    ],
    ["pods as backends on Terway", { backendType: "eni" }, terway, []],
    [
        "a node filter for pods",
        { backendLabel: { a: "b" }, removeUnscheduledBackend: "on" },
        terway,
        ["warning annotation-scope backendLabel", "warning annotation-scope removeUnscheduledBackend"],
    ],
    ["a node filter for nodes", { backendLabel: { a: "b" }, backendType: "ecs" }, terway, []],
    [
        "a node filter on an old Terway cluster",
        { backendLabel: { a: "b" } },
        { facts: { networkPlugin: "terway", createdAt: "2020-08-09T23:00:00Z" } },
        [],
    ],
    [
        "a node filter on a Terway cluster of the day",
        { backendLabel: { a: "b" } },
        { facts: { networkPlugin: "terway", createdAt: "2020-08-10" } },
        ["warning annotation-scope backendLabel"],
    ],
    ["a weight alone", { weight: 5 }, {}, ["error annotation-companion weight"]],
    ["a weight in a group of yours", { weight: 0, vgroupPort: [{ vgroupId: "rsp-1", port: 80 }], id: "lb-1" }, {}, []],
    [
        "a weight of 0 too early",
        { weight: 0, vgroupPort: [{ vgroupId: "rsp-1", port: 80 }], id: "lb-1" },
        { facts: { compatibility: "v2.0.1" } },
        ["error annotation-version weight"],
    ],
    [
        "a weight of 0 from its time on",
        { weight: 0, vgroupPort: [{ vgroupId: "rsp-1", port: 80 }], id: "lb-1" },
        { facts: { compatibility: "v2.1.0" } },
        [],
    ],

    [
        "a setting before its time",
        { instanceChargeType: "PayByCLCU", proxyProtocol: "on" },
        { facts: { compatibility: "v2.5.9" } },
        ["error annotation-version proxyProtocol"],
    ],
    [
        "a setting at its time",
        { instanceChargeType: "PayByCLCU", proxyProtocol: "on" },
        { facts: { compatibility: "v2.6.0" } },
        [],
    ],
    [
        "a refused setting before its time",
        { instanceChargeType: "PayByCLCU" },
        { facts: { compatibility: "v2.5.9" }, refused: ["proxyProtocol"] },
        ["error annotation-version proxyProtocol"],
    ],

    ["a default weight", { defaultWeight: 5 }, {}, []],
    [
        "a default weight in Local mode",
        { defaultWeight: 5, scheduler: "wrr" },
        { policy: "Local" },
        ["warning annotation-scope defaultWeight"],
    ],
    ["a graceful shutdown of pods", { backendType: "eni", gracefulShutdown: "true", scheduler: "wrr" }, {}, []],
    [
        "a graceful shutdown of pods in turn",
        { backendType: "eni", gracefulShutdown: "true" },
        {},
        ["warning annotation-effect gracefulShutdown"],
    ],
    [
        "a graceful shutdown where nodes are backends",
        { backendType: "ecs", gracefulShutdown: "true", scheduler: "wrr" },
        {},
        ["warning annotation-scope gracefulShutdown"],
    ],
    [
        "a graceful shutdown with weights that nobody updates",
        { backendType: "eni", gracefulShutdown: "true", ignoreWeightUpdate: "on" },
        {},
        ["warning annotation-scope gracefulShutdown"],
    ],
    ["a graceful shutdown that is off", { gracefulShutdown: "false" }, {}, []],
    [
        "a graceful shutdown under an older controller",
        { backendType: "eni", gracefulShutdown: "true", scheduler: "wrr" },
        { facts: { compatibility: "v2.14.0" } },
        ["error annotation-version gracefulShutdown"],
    ],
    [
        "IPv6 backends of an IPv4 load balancer",
        { backendIpVersion: "ipv6" },
        {},
        ["error annotation-companion backendIpVersion", "warning annotation-undocumented backendIpVersion"],
    ],
    [
        "the address of an elastic IP behind a host name",
        { externalIpType: "eip", hostname: "a.example.com", protocolPort: http80, ...checked },
        { ports: [tcp(80)] },
        ["warning annotation-undocumented externalIpType", "warning annotation-scope externalIpType"],
    ],
    [
        "a default weight where all backends share a weight",
        { id: "lb-1", vgroupPort: [{ vgroupId: "rsp-1", port: 80 }], weight: 10, defaultWeight: 5 },
        { ports: [tcp(80)] },
        ["warning annotation-scope defaultWeight"],
    ],
    [
        "a default weight where some backends share a weight",
        { id: "lb-1", vgroupPort: [{ vgroupId: "rsp-1", port: 80 }], weight: 10, defaultWeight: 5 },
        {},
        [],
    ],
    ["the address of an elastic IP", { externalIpType: "eip" }, {}, ["warning annotation-undocumented externalIpType"]],
    ["a kind by annotation", { type: "clb" }, {}, ["warning annotation-undocumented type"]],
    [
        "the port of health checks",
        { healthCheckConnectPort: 80 },
        {},
        ["warning annotation-undocumented healthCheckConnectPort"],
    ],
    ["the network of a VPC", { networkType: "vpc" }, {}, ["warning annotation-undocumented networkType"]],
    [
        "the classic network",
        { networkType: "classic" },
        {},
        ["warning annotation-undocumented networkType", "error annotation-unsupported networkType"],
    ],

    [
        "a domain twice",
        {
            domainExtensions: [
                { domain: "a.com", certId: "c" },
                { domain: "b.com", certId: "c" },
                { domain: "A.com", certId: "d" },
            ],
            protocolPort: https443,
            certId: "c",
            ...checked,
        },
        { ports: [tcp(443, 8080)] },
        ["error annotation-value domainExtensions"],
    ],
    ["a group for a port", { id: "lb-1", vgroupPort: [{ vgroupId: "rsp-1", port: 80 }] }, {}, []],
    [
        "groups for a port that is not there and twice for one port",
        {
            id: "lb-1",
            vgroupPort: [
                { vgroupId: "rsp-1", port: 80 },
                { vgroupId: "rsp-2", port: 80 },
                { vgroupId: "rsp-3", port: 8080 },
            ],
        },
        {},
        ["error annotation-port vgroupPort", "error annotation-port vgroupPort"],
    ],
    ["one group for two node ports", { id: "lb-1", vgroupPort: oneGroup }, {}, ["error annotation-port vgroupPort"]],
    [
        "one group for two target ports",
        { id: "lb-1", vgroupPort: oneGroup },
        terway,
        ["error annotation-port vgroupPort"],
    ],
    [
        "one group for ports with one target port",
        { id: "lb-1", vgroupPort: oneGroup },
        { ...terway, ports: [tcp(80, 8080), tcp(443, 8080)] },
        [],
    ],
    [
        "a group for a TCP and a UDP port, to which the cluster gives one node port",
        { id: "lb-1", vgroupPort: [{ vgroupId: "rsp-1", port: 80 }] },
        { ports: [tcp(80), { ...tcp(80), protocol: "UDP" }] },
        [],
    ],
    [
        "a group for a TCP and a UDP port with two node ports",
        { id: "lb-1", vgroupPort: [{ vgroupId: "rsp-1", port: 80 }] },
        {
            ports: [
                { ...tcp(80), nodePort: 30080 },
                { ...tcp(80), nodePort: 30081, protocol: "UDP" },
            ],
        },
        ["error annotation-port vgroupPort"],
    ],
    [
        "a group for a TCP and a UDP port that are a range of ports, to which pods answer on any port",
        {
            id: "nlb-1",
            vgroupPort: [{ vgroupId: "sgp-1", port: 80 }],
            listenerPortRange: [{ from: 80, to: 90, port: 80 }],
        },
        { ...terway, type: "nlb", ports: [tcp(80, 8080), { ...tcp(80, 8081), protocol: "UDP" }] },
        [],
    ],
    [
        "a group for a TCP and a UDP port with two target ports",
        { id: "lb-1", vgroupPort: [{ vgroupId: "rsp-1", port: 80 }] },
        { ...terway, ports: [tcp(80, 8080), { ...tcp(80, 8081), protocol: "UDP" }] },
        ["error annotation-port vgroupPort"],
    ],

    ["a specification of a reused instance", { id: "lb-1", spec: "slb.s1.small" }, {}, []],
    [
        "a specification of a reused instance that is to be paid by usage",
        { id: "lb-1", spec: "slb.s1.small", instanceChargeType: "PayByCLCU" },
        {},
        ["error annotation-exclusion spec"],
    ],
    [
        "creation and deletion of a reused instance",
        { id: "lb-1", addressType: "intranet", vswitchId: "vsw-1", preserveLbOnDelete: "true" },
        {},
        ["warning annotation-scope vswitchId", "warning annotation-scope preserveLbOnDelete"],
    ],
    [
        "listeners of a reused instance that are not managed",
        {
            id: "lb-1",
            protocolPort: [{ protocol: "tcp", port: 80 }],
            scheduler: "wrr",
            healthCheckInterval: 5,
            backendLabel: { a: "b" },
        },
        {},
        ["warning annotation-scope scheduler", "warning annotation-scope healthCheckInterval"],
    ],
    [
        "listeners of a reused instance that are managed",
        { id: "lb-1", forceOverrideListeners: "true", scheduler: "wrr", healthCheckInterval: 5 },
        {},
        [],
    ],
];

const zoneMaps = [
    { zoneId: "cn-hangzhou-a", vswitchId: "vsw-a" },
    { zoneId: "cn-hangzhou-b", vswitchId: "vsw-b" },
];
const tls = [{ protocol: "tcpssl", port: 443 }] as const;
const ranged = { zoneMaps, backendType: "eni", listenerPortRange: [{ from: 80, to: 100, port: 80 }] } as const;

const nlbTable: typeof table = [
    ["zones", { zoneMaps }, {}, []],
    ["no zones", {}, {}, ["error annotation-companion spec.loadBalancerClass"]],
    ["refused zones", {}, { refused: ["zoneMaps"] }, []],
    ["one zone", { zoneMaps: zoneMaps.slice(0, 1) }, {}, ["error annotation-value zoneMaps"]],
    [
        "a zone twice",
        { zoneMaps: [...zoneMaps, { zoneId: "cn-hangzhou-a", vswitchId: "vsw-c" }] },
        {},
        ["error annotation-value zoneMaps"],
    ],
    [
        "elastic addresses of an internal load balancer",
        {
            zoneMaps: zoneMaps.map((zone, index) => ({ ...zone, allocationId: `eip-${index}` })),
            addressType: "intranet",
        },
        {},
        ["error annotation-exclusion zoneMaps"],
    ],
    [
        "addresses before they could be chosen",
        { zoneMaps: zoneMaps.map((zone, index) => ({ ...zone, privateIpv4: `10.0.0.${index}` })) },
        { facts: { compatibility: "v2.12.0" } },
        ["error annotation-version zoneMaps"],
    ],
    [
        "addresses from the version on that lets them be chosen",
        { zoneMaps: zoneMaps.map((zone, index) => ({ ...zone, privateIpv4: `10.0.0.${index}` })) },
        { facts: { compatibility: "v2.12.1" } },
        [],
    ],
    [
        "servers by address before groups could hold addresses",
        { zoneMaps, serverGroupType: "Ip" },
        { facts: { compatibility: "v2.7.9" } },
        ["error annotation-version serverGroupType"],
    ],
    [
        "servers by address from the version on that lets groups hold addresses",
        { zoneMaps, serverGroupType: "Ip" },
        { facts: { compatibility: "v2.8.0" } },
        [],
    ],
    [
        "dual stack without IPVS",
        { zoneMaps, ipVersion: "DualStack" },
        { facts: { kubeProxyMode: "iptables" } },
        ["error annotation-exclusion ipVersion"],
    ],
    [
        "dual stack while the mode of kube-proxy is not known",
        { zoneMaps, ipVersion: "DualStack" },
        {},
        ["warning annotation-effect ipVersion"],
    ],
    ["shared bandwidth", { zoneMaps, bandwidthPackageId: "cbwp-1" }, {}, []],
    [
        "shared bandwidth of an internal load balancer",
        { zoneMaps, bandwidthPackageId: "cbwp-1", addressType: "intranet" },
        {},
        ["error annotation-exclusion bandwidthPackageId"],
    ],
    [
        "a public IPv6 address of an IPv4 load balancer",
        { zoneMaps, ipv6AddressType: "internet" },
        {},
        ["error annotation-companion ipv6AddressType"],
    ],
    [
        "cross-zone before it was there",
        { zoneMaps, crossZoneEnabled: "off" },
        { facts: { compatibility: "v2.12.0" } },
        ["error annotation-version crossZoneEnabled"],
    ],
    [
        "cross-zone from the version on that has it",
        { zoneMaps, crossZoneEnabled: "off" },
        { facts: { compatibility: "v2.13.0" } },
        [],
    ],
    [
        "a range of ports just before it was there",
        ranged,
        { ...terway, facts: { ...terway.facts, compatibility: "v2.11.3" } },
        ["error annotation-version listenerPortRange"],
    ],
    [
        "a range of ports from the version on that has it",
        ranged,
        { ...terway, facts: { ...terway.facts, compatibility: "v2.11.4" } },
        [],
    ],
    ["a TLS listener", { zoneMaps, protocolPort: tls, certId: "c" }, {}, []],
    [
        "a TLS listener without certificate",
        { zoneMaps, protocolPort: tls },
        {},
        ["error annotation-companion protocolPort"],
    ],
    ["a certificate without TLS listener", { zoneMaps, certId: "c" }, {}, ["warning annotation-scope certId"]],
    [
        "further certificates alone",
        { zoneMaps, protocolPort: tls, additionalCertIds: ["c"] },
        {},
        ["error annotation-companion additionalCertIds", "error annotation-companion protocolPort"],
    ],
    [
        "client certificates without authority",
        { zoneMaps, protocolPort: tls, certId: "c", cacert: "on" },
        {},
        ["error annotation-companion cacert"],
    ],
    [
        "ALPN without policy",
        { zoneMaps, protocolPort: tls, certId: "c", alpn: "on" },
        {},
        ["error annotation-companion alpn"],
    ],
    [
        "the client's address behind TLS",
        { zoneMaps, protocolPort: tls, certId: "c", preserveClientIp: "on" },
        {},
        ["error annotation-exclusion preserveClientIp"],
    ],
    [
        "what Proxy Protocol carries, without it",
        { zoneMaps, ppv2PvlVpcIdEnabled: "on" },
        {},
        ["error annotation-companion ppv2PvlVpcIdEnabled"],
    ],
    [
        "draining without a time",
        { zoneMaps, connectionDrain: "on" },
        {},
        ["error annotation-companion connectionDrain"],
    ],
    ["UDP and its checks", { zoneMaps }, { ports: [udp(53)] }, ["warning annotation-effect spec.ports"]],
    [
        "UDP in a user-managed group",
        { id: "nlb-1", vgroupPort: [{ vgroupId: "sgp-1", port: 53 }] },
        { ports: [udp(53)] },
        [],
    ],
    [
        "settings of groups that are all user-managed",
        {
            id: "nlb-1",
            vgroupPort: [{ vgroupId: "sgp-1", port: 80 }],
            scheduler: "rr",
            healthCheckFlag: "off",
            healthCheckUri: "/",
        },
        { ports: [tcp(80)] },
        ["scheduler", "healthCheckFlag", "healthCheckUri"].map((field) => `warning annotation-scope ${field}`),
    ],
    [
        "settings of groups, one of which is user-managed",
        { id: "nlb-1", vgroupPort: [{ vgroupId: "sgp-1", port: 80 }], scheduler: "rr", healthCheckFlag: "off" },
        { ports: [tcp(80), tcp(443)] },
        ["warning annotation-effect healthCheckFlag"],
    ],
    ["UDP with UDP checks", { zoneMaps, healthCheckType: "udp" }, { ports: [udp(53)] }, []],
    [
        "a long idle time of UDP",
        { zoneMaps, idleTimeout: 91, healthCheckType: "udp" },
        { ports: [udp(53)] },
        ["error annotation-exclusion idleTimeout"],
    ],
    ["a long idle time of TCP", { zoneMaps, idleTimeout: 900 }, {}, []],
    [
        "an HTTP path that TCP checks do not ask for",
        { zoneMaps, healthCheckUri: "/" },
        {},
        ["warning annotation-scope healthCheckUri"],
    ],
    ["no checks", { zoneMaps, healthCheckFlag: "off" }, {}, ["warning annotation-effect healthCheckFlag"]],
    ["a range of ports", ranged, terway, []],
    [
        "a range of ports of nodes",
        { ...ranged, backendType: "ecs" },
        {},
        ["error annotation-exclusion listenerPortRange"],
    ],
    [
        "a range to a named port",
        ranged,
        { ...terway, ports: [tcp(80, "http")] },
        ["error annotation-port listenerPortRange"],
    ],
    [
        "a range that holds another port",
        { ...ranged, listenerPortRange: [{ from: 80, to: 500, port: 80 }] },
        terway,
        ["error annotation-port listenerPortRange"],
    ],
    [
        "a range of another port",
        { ...ranged, listenerPortRange: [{ from: 8000, to: 8100, port: 81 }] },
        terway,
        ["error annotation-port listenerPortRange"],
    ],
    [
        "pods with Flannel",
        { zoneMaps, backendType: "eni" },
        { facts: { networkPlugin: "flannel" } },
        ["error annotation-exclusion backendType"],
    ],
    [
        "addresses of pods with Flannel",
        { zoneMaps, backendType: "eni", serverGroupType: "Ip" },
        { facts: { networkPlugin: "flannel" } },
        ["error annotation-exclusion backendType"],
    ],
    [
        "pods at the edge as instances",
        { zoneMaps, backendType: "eni" },
        { facts: { networkPlugin: "terway-edge" } },
        ["warning annotation-effect backendType"],
    ],
    [
        "pods at the edge as addresses",
        { zoneMaps, backendType: "eni", serverGroupType: "Ip" },
        { facts: { networkPlugin: "terway-edge" } },
        [],
    ],
    [
        "IPv6 backends of an IPv4 load balancer",
        { zoneMaps, backendIpVersion: "ipv6" },
        {},
        ["error annotation-companion backendIpVersion", "warning annotation-undocumented backendIpVersion"],
    ],
    [
        "backends of both IP versions of an IPv4 load balancer",
        { zoneMaps, backendIpVersion: "dualstack" },
        {},
        ["error annotation-companion backendIpVersion", "warning annotation-undocumented backendIpVersion"],
    ],
    [
        "a default weight in Local mode",
        { zoneMaps, defaultWeight: 5 },
        { policy: "Local" },
        ["warning annotation-scope defaultWeight"],
    ],
    ["Local mode weighs by itself", { zoneMaps }, { policy: "Local" }, []],
    [
        "an algorithm that does not regard weights, and Local",
        { zoneMaps, scheduler: "rr" },
        { policy: "Local" },
        ["warning annotation-effect scheduler"],
    ],
    ["weighted connections, and Local", { zoneMaps, scheduler: "wlc" }, { policy: "Local" }, []],
    [
        "pods as backends, which all weigh the same",
        { zoneMaps, scheduler: "rr", backendType: "eni" },
        { policy: "Local", ...terway },
        [],
    ],
    ["an internal load balancer needs no vSwitch of its own", { zoneMaps, addressType: "intranet" }, {}, []],
    [
        "a tag that marks the owner",
        { zoneMaps, additionalResourceTags: { "ack.aliyun.com": "x" } },
        {},
        ["error annotation-value additionalResourceTags"],
    ],
    [
        "preserved by false",
        { zoneMaps, preserveLbOnDelete: "false" },
        {},
        ["warning annotation-effect preserveLbOnDelete"],
    ],
    [
        "a listener for a port that is not there",
        { zoneMaps, protocolPort: [{ protocol: "tcp", port: 8080 }] },
        {},
        ["error annotation-port protocolPort"],
    ],
    [
        "listeners of a reused instance that are not managed; server groups are",
        { id: "nlb-1", scheduler: "wlc", healthCheckInterval: 5, cps: 100 },
        {},
        ["warning annotation-scope cps"],
    ],
];

for (const [name, settings, situation, expected] of nlbTable) {
    test(`nlb rules: ${name}`, () => expect(apply(settings, { ...situation, type: "nlb" })).toStrictEqual(expected));
}

for (const [name, settings, situation, expected] of table) {
    test(`rules: ${name}`, () => expect(apply(settings, situation)).toStrictEqual(expected));
}

/** The remedies of a CLB's Service with two ports. */
const remediesOf = (settings: Settings, protocols: readonly ListenerProtocol[]): (string | undefined)[] =>
    applyRules({
        type: "clb",
        settings,
        attempted: new Set(Object.keys(settings) as SettingName[]),
        facts: { clusterId: "c" },
        ports: [tcp(80), tcp(443)],
        externalTrafficPolicy: "Cluster",
        protocols,
    })
        .filter(({ severity }) => severity === "error")
        .map(({ remedy }) => remedy?.replaceAll(keyOfSetting("id").slice(0, -2), ""));

test("a redirect without HTTPS listener and certificate is one finding with one remedy", () => {
    const forwardPort = [{ http: 80, https: 443 }];
    expect(remediesOf({ protocolPort: http80, forwardPort, ...checked }, ["http", "tcp"])).toStrictEqual([
        'add "https:443" to protocol-port and add cert-id, or remove forward-port',
    ]);
    expect(remediesOf({ forwardPort }, ["tcp", "tcp"])).toStrictEqual([
        "add protocol-port and cert-id, or remove forward-port",
    ]);
});

test("a redirect of ports that cannot be redirected is no reason to name them twice", () => {
    const reversed = { protocolPort: both, certId: "c", forwardPort: [{ http: 443, https: 80 }], ...checked };
    const remedy = "name an HTTP port, then an HTTPS port";
    expect(remediesOf(reversed, ["http", "https"])).toStrictEqual([remedy, remedy]);
    expect(remediesOf({ ...reversed, forwardPort: [{ http: 8080, https: 443 }] }, ["http", "https"])).toStrictEqual([
        "use one of 80, 443, or add the port to spec.ports",
    ]);
});

test("the remedy for a specification under the default way to pay names both ways out", () => {
    const context = {
        type: "clb",
        settings: { spec: "slb.s1.small" },
        attempted: new Set<SettingName>(["spec"]),
        facts: { clusterId: "c" },
        ports: [tcp(80)],
        externalTrafficPolicy: "Cluster",
        protocols: ["tcp"],
    } as const;
    const [diagnostic] = applyRules(context);
    expect(diagnostic?.remedy ?? "").toMatch(/add .*instance-charge-type: "PayBySpec", or drop .*-spec$/);
});
