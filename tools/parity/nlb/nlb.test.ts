import { expect, test } from "@jest/globals";
import type { Case, CaseStep, RecordedCloud } from "../case";
import type { CloudState } from "../cloud";
import { evaluateStep } from "../testing";
import type { StepResult } from "../run-case";
import type { NlbState } from "./state";

const UID = "5e4dbfc9-c2ae-4642-b033-5607860aef6a";
const OWNER = "a5e4dbfc9c2ae4642b0335607860aef6";
const MARK = "k8s.30080.TCP.web.default.c1";
const PREFIX = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-";
const TAGS = { "kubernetes.do.not.delete": OWNER };

function service(annotations: Readonly<Record<string, string>> = {}) {
    const given = { "zone-maps": "cn-hangzhou-a:vsw-a,cn-hangzhou-b:vsw-b", ...annotations };
    return {
        metadata: {
            name: "web",
            namespace: "default",
            uid: UID,
            annotations: Object.fromEntries(Object.entries(given).map(([suffix, value]) => [PREFIX + suffix, value])),
        },
        spec: {
            type: "LoadBalancer",
            loadBalancerClass: "alibabacloud.com/nlb",
            loadBalancerSourceRanges: ["10.0.0.0/8"],
            ports: [{ port: 80, nodePort: 30080 }],
        },
    };
}

/** As in a recording: structures and lists are no texts. */
const sent = (params: Readonly<Record<string, unknown>>) => params as Readonly<Record<string, string>>;

const RECORDED = {
    loadBalancers: [
        {
            ref: "lb#1",
            product: "nlb",
            securityGroupIds: ["secg#1"],
            sent: sent({
                LoadBalancerName: OWNER,
                AddressType: "internet",
                DeletionProtectionConfig: { Enabled: "true" },
                ZoneMappings: [
                    { ZoneId: "cn-hangzhou-a", VSwitchId: "vsw-a" },
                    { ZoneId: "cn-hangzhou-b", VSwitchId: "vsw-b", PrivateIPv4Address: "192.168.1.9" },
                ],
            }),
            tags: TAGS,
        },
    ],
    serverGroups: [
        {
            ref: "sg#1",
            name: MARK,
            sent: sent({
                Protocol: "TCP",
                HealthCheckConfig: { HealthCheckEnabled: "true", HealthCheckInterval: "7" },
            }),
            tags: TAGS,
            backends: [{ type: "Ecs", serverId: "i-1", port: 30080, weight: 100, description: MARK }],
        },
    ],
    listeners: [
        {
            lb: "lb#1",
            port: 0,
            protocol: "TCP",
            status: "Running",
            serverGroup: "sg#1",
            sent: { StartPort: "80", EndPort: "90" },
        },
        {
            lb: "lb#1",
            port: 443,
            protocol: "TCPSSL",
            status: "Running",
            serverGroup: "sg#1",
            sent: sent({ CertificateIds: ["c-1"] }),
            additionalCertificates: ["c-3", "c-2"],
        },
    ],
    securityGroups: [
        {
            ref: "secg#1",
            name: `k8s-nlb-${OWNER}`,
            sent: { Description: "k8s.default.web.c1" },
            tags: TAGS,
            rules: [
                { Policy: "accept", Priority: "1", IpProtocol: "All", PortRange: "-1/-1", SourceCidrIp: "10.0.0.0/8" },
            ],
        },
    ],
} satisfies RecordedCloud;

const zone = (letter: string, privateAddress: string) => ({
    zoneId: `cn-hangzhou-${letter}`,
    vSwitchId: `vsw-${letter}`,
    allocationId: "eip-any",
    privateAddress,
});

const INSTANCE = {
    id: "nlb-1",
    name: OWNER,
    addressType: "Internet",
    addressIpVersion: "ipv4",
    ipv6AddressType: "",
    vpcId: "vpc-1",
    zones: [zone("b", "192.168.1.9"), zone("a", "192.168.0.7")],
    bandwidthPackageId: "",
    crossZoneEnabled: true,
    resourceGroupId: "rg-default",
    deletionProtection: { enabled: true },
    modificationProtection: { status: "ConsoleProtection", reason: "managed.by.ack" },
    securityGroupIds: ["sg-managed"],
    dnsName: "nlb-1.example",
    tags: TAGS,
};
const GROUP = {
    id: "sgp-1",
    name: MARK,
    type: "Instance",
    protocol: "TCP",
    vpcId: "vpc-1",
    anyPortEnabled: false,
    addressIpVersion: "Ipv4",
    ipVersionAffinityMode: "",
    connectionDrainEnabled: false,
    connectionDrainTimeout: 300,
    scheduler: "Wrr",
    preserveClientIpEnabled: true,
    resourceGroupId: "rg-default",
    healthCheck: {
        HealthCheckEnabled: true,
        HealthCheckType: "TCP",
        HealthCheckConnectPort: 0,
        HealthCheckConnectTimeout: 5,
        HealthCheckInterval: 7,
        HealthyThreshold: 2,
        UnhealthyThreshold: 2,
    },
    servers: [
        { serverId: "i-1", serverType: "Ecs", serverIp: "192.168.0.1", port: 30080, weight: 100, description: MARK },
    ],
    tags: TAGS,
};
const RANGE = {
    id: "lsn-1@0",
    loadBalancerId: "nlb-1",
    protocol: "TCP",
    port: 0,
    startPort: 80,
    endPort: 90,
    serverGroupId: "sgp-1",
    description: "",
    idleTimeout: 900,
    securityPolicyId: "",
    certificateIds: [],
    caCertificateIds: [],
    additionalCertificateIds: [],
    caEnabled: false,
    alpnEnabled: false,
    alpnPolicy: "",
    proxyProtocolEnabled: false,
    proxyProtocolV2Config: {},
    status: "Running",
};
const TLS = {
    ...RANGE,
    id: "lsn-2@443",
    protocol: "TCPSSL",
    port: 443,
    securityPolicyId: "tls_cipher_policy_1_0",
    certificateIds: ["c-1"],
    additionalCertificateIds: ["c-2", "c-3"],
};
const GUARD = {
    id: "sg-managed",
    name: `k8s-nlb-${OWNER}`,
    description: "k8s.default.web.c1",
    vpcId: "vpc-1",
    type: "enterprise",
    permissions: [
        {
            direction: "ingress",
            policy: "Accept",
            priority: "1",
            ipProtocol: "ALL",
            portRange: "-1/-1",
            sourceCidrIp: "10.0.0.0/8",
            ipv6SourceCidrIp: "",
            description: "k8s.default.web.c1",
        },
    ],
    tags: TAGS,
};

/** Objects with the compared fields. */
type Network = Partial<Readonly<Record<keyof NlbState, readonly object[]>>>;

const stated = (state: object): CloudState => state as CloudState;

const cloudOf = (network: Network = {}): CloudState =>
    stated({
        loadBalancers: [],
        vServerGroups: [],
        listeners: [],
        domainExtensions: [],
        network: {
            loadBalancers: [INSTANCE],
            listeners: [RANGE, TLS],
            serverGroups: [GROUP],
            securityGroups: [GUARD],
            ...network,
        },
    });

const NOTHING = cloudOf({ loadBalancers: [], listeners: [], serverGroups: [], securityGroups: [] });

function verdict(
    network: Network,
    step: Partial<CaseStep> = {},
    result: Partial<StepResult> = {},
    controller: Case["controller"] = "nlb",
) {
    return evaluateStep(
        controller,
        {
            op: "apply",
            service: service(),
            expect: { error: null, status: [{ hostname: "${lb#1.dnsName}" }], cloud: RECORDED },
            ...step,
        },
        {
            before: NOTHING,
            after: cloudOf(network),
            statuses: new Map([["default/web", [{ hostname: "nlb-1.example" }]]]),
            ...result,
        },
    );
}

test("a result as recorded is equal regardless of ids, letter case and unrequested addresses", () => {
    expect(verdict({}).differences).toStrictEqual([]);
});

test("any other result is wrong", () => {
    const changes: readonly [Network, RegExp][] = [
        [{ loadBalancers: [] }, /^instance lb#1$/],
        [{ loadBalancers: [INSTANCE, { ...INSTANCE, id: "nlb-2", name: "other", tags: {} }] }, /^instance other$/],
        [
            { loadBalancers: [{ ...INSTANCE, zones: [zone("a", ""), zone("b", "192.168.1.8")] }] },
            /^zone lb#1 cn-hangzhou-b PrivateIPv4Address$/,
        ],
        [
            {
                loadBalancers: [
                    { ...INSTANCE, zones: [zone("a", ""), { ...zone("b", "192.168.1.9"), vSwitchId: "vsw-x" }] },
                ],
            },
            /^zone lb#1 cn-hangzhou-b VSwitchId$/,
        ],
        [
            { loadBalancers: [{ ...INSTANCE, deletionProtection: { enabled: false } }] },
            /^nlb lb#1 DeletionProtectionEnabled$/,
        ],
        [{ loadBalancers: [{ ...INSTANCE, crossZoneEnabled: false }] }, /^nlb lb#1 CrossZoneEnabled$/],
        [{ loadBalancers: [{ ...INSTANCE, securityGroupIds: [] }] }, /^nlb lb#1 SecurityGroupIds$/],
        [{ loadBalancers: [{ ...INSTANCE, tags: { ...TAGS, more: "1" } }] }, /^tag lb#1 more$/],
        [{ listeners: [RANGE] }, /^listener TCPSSL:443$/],
        [{ listeners: [{ ...RANGE, endPort: 91 }, TLS] }, /^listener TCP:80-9[01]$/],
        [
            { listeners: [RANGE, { ...TLS, additionalCertificateIds: ["c-2", "x"] }] },
            /^listener TCPSSL:443 AdditionalCertificateIds$/,
        ],
        [{ listeners: [{ ...RANGE, status: "Stopped" }, TLS] }, /^listener TCP:80-90 status$/],
        [
            { serverGroups: [{ ...GROUP, healthCheck: { ...GROUP.healthCheck, HealthCheckInterval: 8 } }] },
            /HealthCheckInterval$/,
        ],
        [
            { serverGroups: [{ ...GROUP, healthCheck: { ...GROUP.healthCheck, HealthyThreshold: 3 } }] },
            /HealthyThreshold$/,
        ],
        [{ serverGroups: [{ ...GROUP, servers: [] }] }, /^backend \S+ Ecs i-1/],
        [{ serverGroups: [GROUP, { ...GROUP, id: "sgp-2", name: "k8s.1.TCP.web.default.c1" }] }, /^group k8s\.1\./],
        [{ securityGroups: [{ ...GUARD, permissions: [] }] }, /^guard \S+ rule accept 1 all -1\/-1 10\.0\.0\.0\/8/],
    ];
    for (const [change, where] of changes) {
        const { kind, differences } = verdict(change);
        expect([String(where), kind]).toStrictEqual([String(where), "wrong"]);
        expect([
            JSON.stringify(differences),
            differences.every((one) => where.test(one.where) || one.where === "status"),
        ]).toStrictEqual([JSON.stringify(differences), true]);
    }
});

test("an attribute may follow the Service instead of the recording", () => {
    const drained = { serverGroups: [{ ...GROUP, scheduler: "Rr" }] };
    expect(verdict(drained, { service: service({ scheduler: "rr" }) }).kind).toBe("different");
    expect(verdict(drained, { service: service({ scheduler: "sch" }) }).kind).toBe("wrong");
    expect(
        verdict(
            { loadBalancers: [{ ...INSTANCE, crossZoneEnabled: false }] },
            { service: service({ "cross-zone-enabled": "off" }) },
        ).kind,
    ).toBe("different");
});

test("only a zone that the Service does not name may be missing", () => {
    const one = { loadBalancers: [{ ...INSTANCE, zones: [zone("b", "192.168.1.9")] }] };
    expect(verdict(one).kind).toBe("wrong");
    expect(verdict(one, { service: service({ "zone-maps": "cn-hangzhou-b:vsw-b" }) }).kind).toBe("different");
});

test("an NLB of another controller's Service is ignored only if nothing was recorded", () => {
    const nothing: RecordedCloud = { loadBalancers: [], serverGroups: [], listeners: [], securityGroups: [] };
    const expected = { error: null, status: [], cloud: nothing };
    expect(verdict({ securityGroups: [] }, { expect: expected }, {}, "clb").kind).toBe("different");
    expect(verdict({ securityGroups: [] }, { expect: expected }, {}, "nlb").kind).toBe("wrong");
    expect(verdict({ loadBalancers: [] }, {}, {}, "clb").kind).toBe("wrong");
});
