/**
 * Requirements: A01, A02, A03, A04, A05, A06, A07, A08, A09, A10, A11, A12, A13, A14, A15, A16, A17, A18, A19, A20,
 * A21, A22, A23, A24, A25, A26, A27, A28, A29, A30, A31, A32, A33, A34, A35, A36, A37, A38, A39, A40, A41, A42, A43,
 * A44, A45, A46, A47, A48, A49, A50, A51, A52, A53, A54, A55, A56, A57, A58, A59, A60, A61, A64, A65, A66, A68, B15,
 * B19, C03, C04, D22, I32, I35, I49, I58, X06, X07, X08, X18, X27, X39.
 */
import { expect, test } from "@jest/globals";
import { anyRowOf, keyOf, readAnnotations, rowsOf, type SettingName, type SettingOf, type SettingValue } from "..";
import { type Cases, id, itself, onOff, range, reader, valueChecks } from "../../../../test/support/annotations";

const cases: { readonly [Field in SettingOf<"clb">]: Cases<SettingValue<Field>> } = {
    addressType: { good: itself("internet", "intranet"), bad: ["Internet", "INTRANET", "private"] },
    vswitchId: id("vsw-"),
    instanceChargeType: {
        good: itself("PayBySpec", "PayByCLCU"),
        lenient: [
            ["paybyspec", "PayBySpec"],
            ["PayByClcu", "PayByCLCU"],
        ],
        bad: ["PostPay", "PayBySpec "],
    },
    spec: {
        good: itself("slb.s1.small", "slb.s3.large", "slb.s4.xlarge", "slb.lcu.elastic"),
        bad: ["slb.S1.small", "s1.small", "slb.s1", "slb.s1.small.", "large"],
    },
    chargeType: {
        good: itself("paybytraffic", "paybybandwidth"),
        bad: ["PayByTraffic", "PayByBandwidth", "bandwidth"],
    },
    bandwidth: range(1, 5120),
    id: id("lb-"),
    forceOverrideListeners: { good: itself("true", "false"), bad: ["True", "on", "1", "yes"] },
    masterZoneid: {
        good: itself("cn-hangzhou-k", "us-west-1a", "cn-shanghai-finance-1a"),
        bad: ["cn", "cn-hangzhou-K", "cn_hangzhou_k", "cn-hangzhou-"],
    },
    slaveZoneid: { good: itself("cn-hangzhou-j"), bad: ["CN-hangzhou-j", "-j", "cn-hangzhou j"] },
    ip: {
        good: itself("192.168.0.10", "10.0.0.0", "255.255.255.255"),
        bad: [
            "192.168.x.x",
            "192.168.0",
            "192.168.0.256",
            "192.168.0.01",
            "fd00::1",
            "1.2.3.4.5",
            "192.168.0.10/24",
            "a.b.c.d",
        ],
    },
    ipVersion: { good: itself("ipv4", "ipv6"), bad: ["IPv4", "ipv5", "DualStack"] },
    additionalResourceTags: {
        good: [
            ["Key1=Value1,Key2=Value2", { Key1: "Value1", Key2: "Value2" }],
            ["a=", { a: "" }],
            ["a=1, b=2", { a: "1", b: "2" }],
            ["团队=支付", { 团队: "支付" }],
            ["__proto__=x", JSON.parse('{"__proto__":"x"}') as Record<string, string>],
        ],
        lenient: [
            ["Key1", { Key1: "" }],
            ["Key1=Val1,Key2=,Key3", { Key1: "Val1", Key2: "", Key3: "" }],
            ["a=1,,b=2,", { a: "1", b: "2" }],
        ],
        bad: [
            ",",
            "=v",
            "a=b=c",
            "a=1,a=2",
            "a,a=1",
            "aliyun-x=1",
            "acs:x=1",
            "a=http://b",
            `${"k".repeat(129)}=1`,
            `k=${"v".repeat(129)}`,
        ],
    },
    name: {
        good: itself("your-svc-name", "ab", "网络.lb_1", "a".repeat(128)),
        bad: ["a", "1ab", "-ab", "ab c", "ab:c", "a".repeat(129)],
    },
    resourceGroupId: id("rg-"),
    deleteProtection: onOff,
    modificationProtection: {
        good: itself("ConsoleProtection", "NonProtection"),
        bad: ["consoleprotection", "on", "None"],
    },
    preserveLbOnDelete: { good: itself("true", "false", " "), bad: ["${KEEP}"] },
    hostname: {
        good: itself("www.example.com", "a", "x--y.example"),
        bad: [
            "WWW.example.com",
            "-a.example",
            "a..b",
            "*.example.com",
            "192.168.0.1",
            "a_b.example",
            "<your-service-hostname>",
            `${"a".repeat(64)}.example`,
        ],
    },
    protocolPort: {
        good: [
            [
                "https:443,http:80",
                [
                    { protocol: "https", port: 443 },
                    { protocol: "http", port: 80 },
                ],
            ],
            ["udp:1", [{ protocol: "udp", port: 1 }]],
            ["tcp:65535", [{ protocol: "tcp", port: 65535 }]],
        ],
        lenient: [
            [
                " http:80 , https:443",
                [
                    { protocol: "http", port: 80 },
                    { protocol: "https", port: 443 },
                ],
            ],
        ],
        bad: [
            "http",
            "80",
            "http:0",
            "http:65536",
            "HTTP:80",
            "tcpssl:443",
            "sctp:80",
            "http:80,",
            "http:80 https:443",
            "http: 80",
            "http:80:443",
            "http:-1",
            "http:080",
            "80:http",
        ],
    },
    scheduler: { good: itself("rr", "wrr", "sch", "tch", "wlc"), bad: ["WLC", "RR", "WRR", "round-robin"] },
    aclStatus: onOff,
    aclId: {
        good: [...itself("acl-bp1abc123", "acl-a,acl-b"), ["acl-a, acl-b", "acl-a,acl-b"]],
        bad: ["acl-bp1****", "<your-id>", "acl-", "bp1abc", "acl-a,", "acl-a;acl-b", "acl-a b"],
    },
    aclType: { good: itself("white", "black"), bad: ["White", "allow", "deny"] },
    persistenceTimeout: range(0, 3600),
    stickySession: onOff,
    stickySessionType: { good: itself("insert", "server"), bad: ["Insert", "client"] },
    cookieTimeout: range(1, 86400),
    cookie: {
        good: itself("my-cookie", "B490B5EBF6F3CD402E515D22BCDA1598", "a.b", "x".repeat(200)),
        bad: ["$a", "a,b", "a;b", "a b", "ü", "x".repeat(201)],
    },
    certId: id(""),
    forwardPort: {
        good: [
            ["80:443", [{ http: 80, https: 443 }]],
            [
                "80:443,8080:8443",
                [
                    { http: 80, https: 443 },
                    { http: 8080, https: 8443 },
                ],
            ],
        ],
        bad: ["80", "80:443:1", "80:0", "0:443", "http:https", "80 :443,81:444"],
    },
    domainExtensions: {
        good: [
            [
                "example.com:cert-id-1,api.example.com:cert-id-2",
                [
                    { domain: "example.com", certId: "cert-id-1" },
                    { domain: "api.example.com", certId: "cert-id-2" },
                ],
            ],
            [
                "*.example.org:c_1, a.b:c",
                [
                    { domain: "*.example.org", certId: "c_1" },
                    { domain: "a.b", certId: "c" },
                ],
            ],
        ],
        bad: ["example.com", "example.com:", ":cert", "exa mple.com:c", "a.b:c:d", "*:c", "<domain-1>:<cert-id-1>"],
    },
    tlsCipherPolicy: {
        good: itself(
            "tls_cipher_policy_1_0",
            "tls_cipher_policy_1_1",
            "tls_cipher_policy_1_2",
            "tls_cipher_policy_1_2_strict",
            "tls_cipher_policy_1_2_strict_with_1_3",
        ),
        bad: ["tls_cipher_policy_1_3", "TLS_CIPHER_POLICY_1_2", "tls-cipher-policy-1-2"],
    },
    http2Enabled: onOff,
    proxyProtocol: onOff,
    connectionDrain: onOff,
    connectionDrainTimeout: range(10, 900),
    xforwardedforProto: onOff,
    xforwardedforSlbport: onOff,
    xforwardedforClientsrcport: onOff,
    idleTimeout: range(1, 60),
    requestTimeout: range(1, 180),
    establishedTimeout: range(10, 900),
    healthCheckSwitch: onOff,
    healthCheckFlag: onOff,
    healthCheckType: { good: itself("tcp", "http"), bad: ["TCP", "https", "udp"] },
    healthCheckUri: {
        good: itself("/", "/test/index.html", "/a?b=c&d=%20#e", `/${"a".repeat(79)}`),
        bad: ["index.html", "/a b", `/${"a".repeat(80)}`, "/ü", "http://a/b"],
    },
    healthCheckHttpcode: {
        good: [
            ["http_2xx", ["http_2xx"]],
            ["http_2xx,http_3xx,http_4xx,http_5xx", ["http_2xx", "http_3xx", "http_4xx", "http_5xx"]],
        ],
        bad: ["HTTP_2xx", "200", "http_1xx", "http_2xx;http_3xx", "http_2xx http_3xx"],
    },
    healthCheckDomain: {
        good: itself("$_ip", "www.aliyun.com", "WWW.example.com", "a".repeat(80)),
        bad: ["$ip", "$_IP", "a_b.com", "a b", "a".repeat(81), "${_ip}"],
    },
    healthCheckMethod: { good: itself("head", "get"), bad: ["HEAD", "Get", "post"] },
    healthCheckConnectTimeout: range(1, 300),
    healthCheckTimeout: range(1, 300),
    healthCheckInterval: range(1, 50),
    healthCheckConnectPort: {
        good: [
            ["-520", -520],
            ["1", 1],
            ["65535", 65535],
        ],
        bad: ["0", "-1", "65536", "-0520", " -520", "http"],
    },
    healthyThreshold: range(2, 10),
    unhealthyThreshold: range(2, 10),
    backendLabel: {
        good: [
            [
                "failure-domain.beta.kubernetes.io/zone=ap-southeast-5a",
                { "failure-domain.beta.kubernetes.io/zone": "ap-southeast-5a" },
            ],
            ["a=1,b=", { a: "1", b: "" }],
        ],
        bad: ["a", "=x", "a=b=c", "a/b/c=1", "A.b/c d=1", "a=-", "a=1,a=2", `a=${"v".repeat(64)}`, "a in (b)"],
    },
    removeUnscheduledBackend: onOff,
    backendType: { good: itself("eni", "ecs"), bad: ["ENI", "Ecs", "eci"] },
    vgroupPort: {
        good: [
            [
                "rsp-bp1abc:80,rsp-bp2def:443",
                [
                    { vgroupId: "rsp-bp1abc", port: 80 },
                    { vgroupId: "rsp-bp2def", port: 443 },
                ],
            ],
            [
                "rsp-a:80, rsp-b:443",
                [
                    { vgroupId: "rsp-a", port: 80 },
                    { vgroupId: "rsp-b", port: 443 },
                ],
            ],
        ],
        bad: [
            "rsp-bp1abc",
            "rsp-a:80,,rsp-b:443",
            "sgp-1:80",
            "rsp-bp1abc:http",
            "rsp-bp1abc:80:90",
            "${VGROUP_ID}:80",
        ],
    },
    weight: range(0, 100),
    ignoreWeightUpdate: { good: itself("on", "off"), lenient: [["ON", "on"]], bad: ["true", "1", "on "] },
    backendIpVersion: { good: itself("ipv4", "ipv6"), bad: ["dualstack", "6"] },
    defaultWeight: range(0, 100),
    gracefulShutdown: { good: itself("true", "false"), bad: ["on", "True", "1"] },
    type: { good: itself("clb", "nlb"), bad: ["NLB", "alb", "slb"] },
    networkType: { good: itself("vpc", "classic"), bad: ["VPC", "Classic"] },
    externalIpType: { good: itself("eip"), bad: ["EIP", "ip", "true"] },
};

const read = reader("clb");

for (const { field, takesGood, refusesBad, refusesOtherTypes, countsEmptyAsAbsent, knowsLegacyKey } of valueChecks(
    "clb",
    cases,
)) {
    test(`${field}: good values`, takesGood);
    test(`${field}: bad values`, refusesBad);
    test(`${field}: values that are no strings`, refusesOtherTypes);
    test(`${field}: empty or absent is not set`, countsEmptyAsAbsent);
    test(`${field}: the legacy key`, knowsLegacyKey);
}

/** The minimum versions in "Configure CLB using annotations", and the settings whose annotations it lists with each. */
const VERSIONS: Readonly<Record<string, string>> = {
    "v1.9.3":
        "addressType vswitchId spec chargeType additionalResourceTags protocolPort scheduler persistenceTimeout " +
        "stickySession stickySessionType cookieTimeout cookie healthCheckFlag healthCheckType healthCheckUri " +
        "healthCheckHttpcode healthCheckDomain healthCheckConnectTimeout healthCheckTimeout healthCheckInterval " +
        "healthyThreshold unhealthyThreshold backendLabel",
    "v1.9.3.10-gfb99107-aliyun": "bandwidth masterZoneid slaveZoneid",
    "v1.9.3.81-gca19cd4-aliyun": "id forceOverrideListeners",
    "v1.9.3.164-g2105d2e-aliyun": "aclStatus aclId aclType certId forwardPort removeUnscheduledBackend backendType",
    "v1.9.3.220-g24b1885-aliyun": "ipVersion",
    "v1.9.3.313-g748f81e-aliyun": "name resourceGroupId deleteProtection modificationProtection",
    "v2.0.1": "connectionDrain connectionDrainTimeout",
    "v2.1.0": "xforwardedforProto idleTimeout http2Enabled",
    "v2.3.0": "hostname requestTimeout establishedTimeout healthCheckMethod",
    "v2.4.0": "instanceChargeType tlsCipherPolicy",
    "v2.6.0": "proxyProtocol healthCheckSwitch",
    "v2.7.0": "ip",
    "v2.9.1": "xforwardedforSlbport xforwardedforClientsrcport",
    "v2.10.0": "preserveLbOnDelete",
    "v2.11.1": "ignoreWeightUpdate",
    "v2.13.0": "domainExtensions",
    "v2.14.0": "defaultWeight",
    "v2.15.0": "gracefulShutdown",
};

/** Annotations that the document does not list, or lists without a version. */
const WITHOUT_VERSION = "vgroupPort weight networkType type externalIpType healthCheckConnectPort backendIpVersion";

test("every annotation has the minimum version that the document lists", () => {
    const documented = rowsOf("clb").filter(({ field }) => !WITHOUT_VERSION.split(" ").includes(field));
    const listed = Object.entries(VERSIONS).flatMap(([version, fields]) =>
        fields.split(" ").map((field) => `${field} ${version}`),
    );
    expect(documented.map(({ field, since }) => `${field} ${since}`).sort()).toStrictEqual(listed.sort());
});

test("masked values and templates are placeholders", () => {
    const masked: readonly [SettingName, string][] = [
        ["vswitchId", "vsw-bp1s5fnvk4gn2tws0****"],
        ["id", "lb-bp1ids9hmq5924m6***"],
        ["certId", "<your-cert-id>"],
        ["aclId", "<your-acl-id>"],
        ["ip", "192.168.x.x"],
        ["hostname", "<your-service-hostname>"],
        ["vswitchId", "<your-vswitch-id>"],
    ];
    for (const [field, text] of masked) {
        const key = keyOf(anyRowOf(field));
        expect([text, read(key, text).diagnostics.map((diagnostic) => diagnostic.code)]).toStrictEqual([
            text,
            ["annotation-placeholder"],
        ]);
        expect(read(key, "${VALUE}").diagnostics.map((diagnostic) => diagnostic.code)).toStrictEqual([
            "annotation-placeholder",
        ]);
    }
    const [diagnostic] = read(
        keyOf({ suffix: "alibaba-cloud-loadbalancer-vswitch-id" }),
        "${YOUR_VSWITCH_ID}",
    ).diagnostics;
    expect(diagnostic?.cause ?? "").toMatch(/\$\{YOUR_VSWITCH_ID\}/);
});

test("a wrong value names the right one", () => {
    const remedies: readonly [string, string, string][] = [
        ["alibaba-cloud-loadbalancer-address-type", "Intranet", 'write "intranet"'],
        ["alibaba-cloud-loadbalancer-modification-protection", "ConsoleProtectoin", 'write "ConsoleProtection"'],
        ["alibaba-cloud-loadbalancer-idle-timeout", "61", "write 60 or less"],
        ["alibaba-cloud-loadbalancer-idle-timeout", "0", "write 1 or more"],
    ];
    for (const [suffix, text, remedy] of remedies)
        expect(read(keyOf({ suffix }), text).diagnostics[0]?.remedy).toBe(remedy);
});

test("an unquoted value is quoted as its author wrote it", () => {
    const key = keyOf({ suffix: "alibaba-cloud-loadbalancer-delete-protection" });
    const [diagnostic] = readAnnotations({ [key]: true }, () => "on").diagnostics;
    expect(diagnostic?.cause ?? "").toMatch(/boolean \(on\)/);
    expect(diagnostic?.remedy).toBe('quote it: "on"');
});
