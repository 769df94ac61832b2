/** Scenarios in which a run may be interrupted: a Service that comes, changes or goes, and the objects before it. */
import type { SeedCall } from "../../../lab/cloud";
import type { Version } from "../service";

/** A run that is interrupted. */
export interface Scenario {
    readonly name: string;
    /** Objects that others made before. */
    readonly seed?: readonly SeedCall[];
    /** Programs that run undisturbed before, in order. "none" is a program without the Service. */
    readonly before?: readonly (Version | "none")[];
    /** The program of the run that is interrupted. */
    readonly run: Version | "none";
    /** The program without the Service. Default: an empty program. */
    readonly without?: Version;
}

const CLB: Version = { ports: ["tcp:80", "udp:53"], nodes: ["node-1", "node-2"] };

const HTTPS: Version = {
    ports: ["https:443"],
    nodes: ["node-1"],
    annotations: { "protocol-port": "https:443", "cert-id": "cert-1", "domain-extensions": "a.example.com:cert-2" },
};

const SHARED: readonly SeedCall[] = [
    {
        action: "CreateLoadBalancer",
        id: "lb-users",
        params: { LoadBalancerName: "users", AddressType: "internet", LoadBalancerSpec: "slb.s1.small" },
    },
    {
        action: "TagResources",
        params: { ResourceType: "instance", "ResourceId.1": "lb-users", "Tag.1.Key": "team", "Tag.1.Value": "a" },
    },
    {
        action: "CreateVServerGroup",
        id: "rsp-users",
        params: {
            LoadBalancerId: "lb-users",
            VServerGroupName: "users",
            BackendServers: '[{"ServerId":"i-node-3","Port":8080,"Weight":100,"Type":"ecs"}]',
        },
    },
    {
        action: "CreateLoadBalancerTCPListener",
        params: { LoadBalancerId: "lb-users", ListenerPort: 8443, VServerGroupId: "rsp-users", Bandwidth: -1 },
    },
    {
        action: "StartLoadBalancerListener",
        params: { LoadBalancerId: "lb-users", ListenerPort: 8443, ListenerProtocol: "tcp" },
    },
];

const REUSED: Version = {
    ...CLB,
    annotations: {
        id: "lb-users",
        "force-override-listeners": "true",
        "additional-resource-tags": "team=b,service=web",
    },
};

/** A program with an instance for several Services, and no Service. */
const INSTANCE: Version = { shared: {}, ports: [], nodes: [] };

const ZONES = "cn-hangzhou-a:vsw-na,cn-hangzhou-b:vsw-nb";
const NLB: Version = {
    kind: "nlb",
    ports: ["tcp:80", "udp:53"],
    nodes: ["node-1", "node-2"],
    annotations: { "zone-maps": ZONES },
};

const TCPSSL: Version = {
    kind: "nlb",
    ports: ["tcp:443"],
    nodes: ["node-1"],
    annotations: {
        "zone-maps": ZONES,
        "protocol-port": "tcpssl:443",
        "cert-id": "cert-1",
        "additional-cert-ids": "cert-2",
    },
};

const NLB_SHARED: readonly SeedCall[] = [
    {
        product: "Nlb",
        action: "CreateLoadBalancer",
        id: "nlb-users",
        params: {
            LoadBalancerName: "users",
            AddressType: "Intranet",
            VpcId: "vpc-lab",
            "ZoneMappings.1.ZoneId": "cn-hangzhou-a",
            "ZoneMappings.1.VSwitchId": "vsw-na",
            "ZoneMappings.2.ZoneId": "cn-hangzhou-b",
            "ZoneMappings.2.VSwitchId": "vsw-nb",
        },
    },
];

const NLB_REUSED: Version = {
    ...NLB,
    annotations: {
        id: "nlb-users",
        "address-type": "intranet",
        "force-override-listeners": "true",
        "additional-resource-tags": "service=web",
    },
};

/** The same Service with other annotations. */
const annotated = (version: Version, annotations: Readonly<Record<string, string>>): Version => ({
    ...version,
    annotations: { ...version.annotations, ...annotations },
});

const change = (name: string, from: Version, to: Version | "none", seed?: readonly SeedCall[]): Scenario => ({
    name,
    before: [from],
    run: to,
    ...(seed === undefined ? {} : { seed }),
});

/** A hand-back and a takeover write to the cluster alone. */
const TAKEN_OVER: readonly (Version | "none")[] = [{ ...CLB, handBack: true }, "none", { ...CLB, adopt: true }];

/** Every kind of change, of both kinds of load balancer. */
export const SCENARIOS: readonly Scenario[] = [
    { name: "CLB: creation", run: CLB },
    { name: "CLB: creation with source ranges", run: { ...CLB, sourceRanges: ["10.0.0.0/8", "192.168.0.0/16"] } },
    { name: "CLB: creation with an HTTPS listener and a further domain", run: HTTPS },
    change(
        "CLB: listeners change",
        CLB,
        annotated(CLB, { scheduler: "rr", "connection-drain": "on", "connection-drain-timeout": "30" }),
    ),
    change(
        "CLB: the instance changes",
        CLB,
        annotated(CLB, { name: "shop", "additional-resource-tags": "a=1", "delete-protection": "off" }),
    ),
    change("CLB: backends come and go", CLB, { ...CLB, nodes: ["node-2", "node-2", "node-3"] }),
    change("CLB: a port comes, another goes", CLB, { ...CLB, ports: ["tcp:80", "tcp:443"] }),
    change("CLB: a listener gets another protocol", CLB, { ...annotated(CLB, { "protocol-port": "http:80" }) }),
    change("CLB: source ranges come", CLB, { ...CLB, sourceRanges: ["10.0.0.0/8"] }),
    change(
        "CLB: source ranges change",
        { ...CLB, sourceRanges: ["10.0.0.0/8"] },
        { ...CLB, sourceRanges: ["10.0.0.0/9"] },
    ),
    change("CLB: source ranges go", { ...CLB, sourceRanges: ["10.0.0.0/8"] }, CLB),
    change(
        "CLB: domains change",
        HTTPS,
        annotated(HTTPS, { "domain-extensions": "a.example.com:cert-1,b.example.com:cert-2" }),
    ),
    change("CLB: the instance is replaced", CLB, {
        ...annotated(CLB, { "address-type": "intranet", "vswitch-id": "vsw-a" }),
        allowReplacement: ["addressType", "vswitchId"],
    }),
    change("CLB: deletion", CLB, "none"),
    change("CLB: deletion with source ranges", { ...CLB, sourceRanges: ["10.0.0.0/8"] }, "none"),
    { name: "CLB: listeners change after a takeover", before: TAKEN_OVER, run: annotated(CLB, { scheduler: "wrr" }) },
    { name: "CLB: deletion after a takeover", before: TAKEN_OVER, run: "none" },
    { name: "reused CLB: attached", seed: SHARED, run: REUSED },
    change("reused CLB: tags change", REUSED, annotated(REUSED, { "additional-resource-tags": "team=c" }), SHARED),
    change("reused CLB: a port comes, another goes", REUSED, { ...REUSED, ports: ["tcp:80", "tcp:443"] }, SHARED),
    change("reused CLB: detached", REUSED, "none", SHARED),
    {
        name: "reused CLB: attached with source ranges",
        seed: SHARED,
        run: { ...REUSED, sourceRanges: ["10.0.0.0/8"] },
    },
    {
        name: "shared CLB: a Service comes",
        before: [INSTANCE],
        run: { ...CLB, shared: {}, sourceRanges: ["10.0.0.0/8"] },
        without: INSTANCE,
    },
    { name: "shared CLB: a Service goes", before: [{ ...CLB, shared: {} }], run: INSTANCE, without: INSTANCE },
    change(
        "shared CLB: the instance is replaced",
        { ...CLB, shared: {} },
        {
            ...CLB,
            shared: { addressType: "intranet", vswitchId: "vsw-a" },
            allowReplacement: ["addressType", "vswitchId"],
        },
    ),
    { name: "reused CLB: a user-managed listener is replaced", seed: SHARED, run: { ...REUSED, ports: ["tcp:8443"] } },
    { name: "NLB: creation", run: NLB },
    { name: "NLB: creation with source ranges", run: { ...NLB, sourceRanges: ["10.0.0.0/8"] } },
    { name: "NLB: creation with further certificates", run: TCPSSL },
    change("NLB: listeners and groups change", NLB, annotated(NLB, { "idle-timeout": "60", scheduler: "sch" })),
    change("NLB: the instance changes", NLB, annotated(NLB, { name: "shop", "additional-resource-tags": "a=1" })),
    change("NLB: backends come and go", NLB, { ...NLB, nodes: ["node-2", "node-2", "node-3"] }),
    change("NLB: a port comes, another goes", NLB, { ...NLB, ports: ["tcp:80", "tcp:443"] }),
    change("NLB: source ranges come", NLB, { ...NLB, sourceRanges: ["10.0.0.0/8"] }),
    change("NLB: source ranges go", { ...NLB, sourceRanges: ["10.0.0.0/8"] }, NLB),
    change("NLB: certificates change", TCPSSL, annotated(TCPSSL, { "additional-cert-ids": "cert-3" })),
    change("NLB: deletion", NLB, "none"),
    change("NLB: deletion with source ranges", { ...NLB, sourceRanges: ["10.0.0.0/8"] }, "none"),
    { name: "reused NLB: attached", seed: NLB_SHARED, run: NLB_REUSED },
    change("reused NLB: backends come and go", NLB_REUSED, { ...NLB_REUSED, nodes: ["node-3"] }, NLB_SHARED),
    change("reused NLB: detached", NLB_REUSED, "none", NLB_SHARED),
];
