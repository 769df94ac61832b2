/** Requirements: A07, A62, I35, X02, X03, X07, X20, X21, X34, X39. */
import { expect, test } from "@jest/globals";
import { keyOf, type SettingOf, type SettingValue } from "..";
import { type Cases, id, itself, range, reader, valueChecks } from "../../../../test/support/annotations";

/** Any case is read, and the printed form is canonical. */
const flag: Cases<"on" | "off"> = { good: itself("on", "off"), bad: ["true", "false", " on", "on ", "1"] };

const cases: { readonly [Field in SettingOf<"nlb">]: Cases<SettingValue<Field>> } = {
    zoneMaps: {
        good: [
            [
                "cn-hangzhou-k:vsw-1,cn-hangzhou-j:vsw-2",
                [
                    { zoneId: "cn-hangzhou-k", vswitchId: "vsw-1" },
                    { zoneId: "cn-hangzhou-j", vswitchId: "vsw-2" },
                ],
            ],
            [
                "cn-hangzhou-k:vsw-1:10.0.0.9:eip-1, cn-hangzhou-j:vsw-2::eip-2",
                [
                    { zoneId: "cn-hangzhou-k", vswitchId: "vsw-1", privateIpv4: "10.0.0.9", allocationId: "eip-1" },
                    { zoneId: "cn-hangzhou-j", vswitchId: "vsw-2", allocationId: "eip-2" },
                ],
            ],
            [
                "cn-hangzhou-k:vsw-1:10.0.0.9",
                [{ zoneId: "cn-hangzhou-k", vswitchId: "vsw-1", privateIpv4: "10.0.0.9" }],
            ],
        ],
        bad: [
            "cn-hangzhou-a",
            "cn-hangzhou-a:vsw-a,,cn-hangzhou-b:vsw-b",
            "cn-hangzhou-a:subnet-1",
            "cn-hangzhou-a:vsw-a:10.0.0.256",
            "cn-hangzhou-a:vsw-a::10.0.0.1",
            "cn-hangzhou-a:vsw-a:10.0.0.1:eip-1:more",
            "CN-A:vsw-a",
            "${zone-A}:${vsw-A}",
        ],
    },
    addressType: { good: itself("internet", "intranet"), bad: ["private", "internet "] },
    ipVersion: { good: itself("ipv4", "DualStack"), bad: ["ipv6", "dual"] },
    ipv6AddressType: { good: itself("internet", "intranet"), bad: ["x"] },
    crossZoneEnabled: flag,
    securityGroupIds: {
        good: [
            ["sg-1", ["sg-1"]],
            ["sg-1, sg-2", ["sg-1", "sg-2"]],
        ],
        bad: ["sg-1,", "1", "sg-1;sg-2", "sg-****"],
    },
    bandwidthPackageId: id("cbwp-"),
    id: id("nlb-"),
    forceOverrideListeners: { good: itself("true", "false"), bad: ["True", "on"] },
    name: { good: itself("web-lb", "网关1"), bad: ["1web", "a", "w/b"] },
    resourceGroupId: id("rg-"),
    additionalResourceTags: {
        good: [["a=1,b=", { a: "1", b: "" }]],
        lenient: [["a", { a: "" }]],
        bad: ["a=b=c", "aliyun=1"],
    },
    deleteProtection: flag,
    modificationProtection: { good: itself("ConsoleProtection", "NonProtection"), bad: ["on", "consoleprotection"] },
    preserveLbOnDelete: { good: itself("true", "false", "any text"), bad: ["${X}"] },
    protocolPort: {
        good: [
            [
                "tcp:80,tcpssl:443,udp:53",
                [
                    { protocol: "tcp", port: 80 },
                    { protocol: "tcpssl", port: 443 },
                    { protocol: "udp", port: 53 },
                ],
            ],
        ],
        bad: ["http:80", "https:443", "tcpssl", "tls:443", "tcp:0", "tcp:80:90"],
    },
    listenerPortRange: {
        good: [
            [
                "80-100:80,400-500:443",
                [
                    { from: 80, to: 100, port: 80 },
                    { from: 400, to: 500, port: 443 },
                ],
            ],
        ],
        bad: ["80:80", "400-80:80", "80-400", "0-70000:80", "80-80:80", "1-2-3:80", "80-100:http"],
    },
    idleTimeout: range(10, 900),
    cps: range(0, 1_000_000),
    proxyProtocol: flag,
    ppv2PvlVpcIdEnabled: flag,
    ppv2PvlEpIdEnabled: flag,
    ppv2PvlEpsIdEnabled: flag,
    certId: id(""),
    additionalCertIds: {
        good: [
            ["c-1", ["c-1"]],
            ["c-1,c-2", ["c-1", "c-2"]],
        ],
        bad: ["c-1,", "<your-id>"],
    },
    cacert: flag,
    cacertId: id(""),
    tlsCipherPolicy: {
        good: itself("tls_cipher_policy_1_0", "tls_cipher_policy_1_2_strict_with_1_3", "tls-bp14bb1e7dll4f"),
        bad: ["tls_cipher_policy_1_4", "tls-", "TLS1.2"],
    },
    alpn: flag,
    alpnPolicy: {
        good: itself("HTTP1Only", "HTTP2Only", "HTTP2Optional", "HTTP2Preferred"),
        bad: ["http1only", "HTTP3"],
    },
    scheduler: { good: itself("wrr", "rr", "sch", "tch", "wlc", "qch"), bad: ["random", "least"] },
    connectionDrain: flag,
    connectionDrainTimeout: range(0, 900),
    preserveClientIp: flag,
    healthCheckFlag: flag,
    healthCheckType: { good: itself("tcp", "http", "udp"), bad: ["https", "icmp"] },
    healthCheckConnectPort: range(0, 65535),
    healthCheckConnectTimeout: range(1, 300),
    healthCheckInterval: range(1, 50),
    healthyThreshold: range(2, 10),
    unhealthyThreshold: range(2, 10),
    healthCheckUri: { good: itself("/", "/test/index.html"), bad: ["x", `/${"a".repeat(80)}`] },
    healthCheckDomain: { good: itself("$SERVER_IP", "www.test.com"), bad: ["$_ip", "WWW.test.com", "a".repeat(81)] },
    healthCheckMethod: { good: itself("get", "head"), bad: ["post"] },
    healthCheckHttpcode: { good: [["http_2xx,http_3xx", ["http_2xx", "http_3xx"]]], bad: ["2xx", "http_2xx,"] },
    healthCheckHttpVersion: {
        good: itself("HTTP1.0", "HTTP1.1"),
        lenient: [["http1.1", "HTTP1.1"]],
        bad: ["1.1", "HTTP2"],
    },
    backendLabel: { good: [["a=1", { a: "1" }]], bad: ["a"] },
    removeUnscheduledBackend: { good: itself("on", "off"), bad: ["true"] },
    backendType: { good: itself("eni", "ecs"), bad: ["eci"] },
    serverGroupType: { good: itself("Instance", "Ip"), bad: ["ecs"] },
    backendIpVersion: { good: itself("ipv4", "ipv6", "dualstack"), bad: ["dual"] },
    defaultWeight: range(0, 100),
    gracefulShutdown: { good: itself("true", "false"), bad: ["on"] },
    type: { good: itself("clb", "nlb"), bad: ["NLB", "alb", "slb"] },
    vgroupPort: { good: [["sgp-1:80", [{ vgroupId: "sgp-1", port: 80 }]]], bad: ["rsp-1:80", "sgp-1", "sgp-1:http"] },
    weight: range(0, 100),
    ignoreWeightUpdate: flag,
};

for (const { field, takesGood, refusesBad, refusesOtherTypes, countsEmptyAsAbsent, knowsLegacyKey } of valueChecks(
    "nlb",
    cases,
)) {
    test(`nlb ${field}: good values`, takesGood);
    test(`nlb ${field}: bad values`, refusesBad);
    test(`nlb ${field}: values that are no strings`, refusesOtherTypes);
    test(`nlb ${field}: empty or absent is not set`, countsEmptyAsAbsent);
    test(`nlb ${field}: the legacy key`, knowsLegacyKey);
}

test("nlb words are read in any case, as their document writes them", () => {
    const read = reader("nlb");
    const words: readonly [string, string, unknown][] = [
        [
            "protocol-port",
            "TCP:80,TCPSSL:443",
            [
                { protocol: "tcp", port: 80 },
                { protocol: "tcpssl", port: 443 },
            ],
        ],
        ["address-type", "INTRANET", "intranet"],
        ["ip-version", "dualstack", "DualStack"],
        ["ipv6-address-type", "Internet", "internet"],
        ["backend-ip-version", "DualStack", "dualstack"],
        ["server-group-type", "ip", "Ip"],
        ["scheduler", "WRR", "wrr"],
        ["cross-zone-enabled", "OFF", "off"],
        ["health-check-method", "HEAD", "head"],
    ];
    for (const [name, text, value] of words) {
        const { settings, diagnostics } = read(keyOf({ suffix: `alibaba-cloud-loadbalancer-${name}` }), text);
        expect([name, [diagnostics, Object.values(settings)]]).toStrictEqual([name, [[], [value]]]);
    }
});
