/**
 * Any edit of an instance, listener, group or list in the console is named by explain and show, and taken back by
 * `pulumi up --refresh`.
 * Only a run shows that what a command calls drift is what the plugins read and write back.
 *
 * The edits of a round are made individually, and one run heals them all. The exceptions are named.
 *
 * Requirements: B10, B15, B29.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { isDeepStrictEqual } from "node:util";
import type { Session } from "../../lab";
import { Commands } from "../support/commands";
import { differences, type Edit, edit, leaves } from "../support/drift";
import { forget } from "../support/forget";
import { found } from "../support/found";
import { WHOLE } from "../support/sample";
import { type CloudState, type ServiceSpec, Stack, startWorld, stateOf } from "../support/world";

const PORTS: ServiceSpec["ports"] = [{ port: 9000 }, { port: 53, protocol: "UDP" }, { port: 80 }, { port: 443 }];
const WEB = { "protocol-port": "http:80,https:443", "cert-id": "cert-one" };
const BY_SPEC = { "instance-charge-type": "PayBySpec", spec: "slb.s1.small" };
const RANGES = ["10.0.0.0/8", "192.168.0.0/16"];

/** A CLB whose annotations leave everything to its default, a CLB whose annotations set it, and an NLB. */
const SERVICES: readonly ServiceSpec[] = [
    { name: "bare", annotations: { ...WEB, ...BY_SPEC }, ports: PORTS, sourceRanges: RANGES },
    {
        name: "full",
        annotations: {
            ...WEB,
            "additional-resource-tags": "team=shop",
            "connection-drain": "on",
            "connection-drain-timeout": "30",
            "cookie-timeout": "60",
            "delete-protection": "off",
            "domain-extensions": "a.example.com:cert-one",
            "health-check-connect-port": "8081",
            "health-check-domain": "a.example.com",
            "health-check-flag": "on",
            "health-check-httpcode": "http_2xx,http_3xx",
            "health-check-method": "get",
            "health-check-type": "http",
            "health-check-uri": "/live",
            "proxy-protocol": "on",
            "sticky-session": "on",
            "sticky-session-type": "insert",
            "xforwardedfor-clientsrcport": "on",
            "xforwardedfor-proto": "on",
            "xforwardedfor-slbport": "on",
        },
        ports: PORTS,
    },
    {
        name: "net",
        loadBalancerClass: "alibabacloud.com/nlb",
        annotations: {
            "additional-cert-ids": "cert-two",
            "cert-id": "cert-one",
            "connection-drain": "on",
            "connection-drain-timeout": "30",
            cps: "100",
            "health-check-flag": "on",
            "health-check-type": "http",
            "protocol-port": "TCPSSL:443",
            "zone-maps": "cn-hangzhou-a:vsw-lab-a,cn-hangzhou-b:vsw-lab-b",
        },
        ports: [{ port: 80 }, { port: 53, protocol: "UDP" }, { port: 443 }],
        sourceRanges: RANGES,
    },
];

let session: Session;
let stack: Stack;
let cloud: CloudState;
let commands: Commands;

beforeAll(async () => {
    session = await startWorld({ isResident: true });
    await session.cloud("/_seed", {
        vSwitches: [{ id: "vsw-lab-a2", vpcId: "vpc-lab", zoneId: "cn-hangzhou-a", cidr: "10.2.0.0/16" }],
        certificates: [{ id: "cert-one" }, { id: "cert-two" }, { id: "cert-three" }],
        securityGroups: [{ id: "sg-one" }],
        bandwidthPackages: [{ id: "cbwp-one" }],
        calls: [{ action: "CreateAccessControlList", params: { AclName: "acl-one" }, id: "acl-one" }],
    });
    stack = await Stack.create(session, "drift", SERVICES);
    stack.succeed(await stack.up());
    cloud = await stateOf(session);
    commands = new Commands(session);
});

afterAll(async () => {
    commands.stop();
    await session.lab.stop();
    forget(stack);
});

type Attributes = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The instance of a Service with a CLB. */
const clb = (service: string): string =>
    found(
        cloud.slb.listeners.find(({ attributes }) => String(attributes["Description"]).includes(`/${service}/`)),
        service,
    ).loadBalancerId;

const clbCall = (service: string, action: string, params: Record<string, unknown> = {}): Edit => ({
    what: `${service} ${action} ${Object.keys(params).join(" ")}`,
    action,
    params: { LoadBalancerId: clb(service), ...params },
});

/** Returns an edit for each attribute. Attributes that the cloud takes only together share an object. */
function clbListener(service: string, protocol: string, attributes: Attributes): Edit[] {
    const listener = found(
        cloud.slb.listeners.find((one) => one.loadBalancerId === clb(service) && one.protocol === protocol),
        protocol,
    );
    return Object.entries(attributes).map(([name, value]) => ({
        what: `${service} ${protocol} ${name}`,
        action: `SetLoadBalancer${protocol.toUpperCase()}ListenerAttribute`,
        params: {
            LoadBalancerId: listener.loadBalancerId,
            ListenerPort: listener.port,
            ...(typeof value === "string" ? { [name]: value } : value),
        },
    }));
}

const onClbListener = (service: string, action: string, port: number, protocol: string): Edit => ({
    what: `${service} ${protocol} ${action}`,
    action,
    params: { LoadBalancerId: clb(service), ListenerPort: port, ListenerProtocol: protocol },
});

/** The same value in every check of a backend. */
const CHECK = {
    HealthyThreshold: "5",
    UnhealthyThreshold: "6",
    HealthCheckInterval: "7",
    HealthCheckConnectPort: "9999",
};
const LAYER_4 = { ...CHECK, PersistenceTimeout: "100", HealthCheckConnectTimeout: "99" };
const BY_HTTP = {
    HealthCheckURI: "/other",
    HealthCheckDomain: "other.example.com",
    HealthCheckMethod: "head",
    HealthCheckHttpCode: "http_4xx",
};
const COMMON = { Bandwidth: "10", Description: "edited", Scheduler: "wlc" };
const WEB_VALUES = { IdleTimeout: "31", RequestTimeout: "32", Gzip: "off" };
const FORWARDED = {
    XForwardedFor_SLBIP: "on",
    XForwardedFor_SLBID: "on",
    XForwardedFor_proto: "on",
    XForwardedFor_SLBPORT: "on",
    XForwardedFor_ClientSrcPort: "on",
};
/** Switches of {@link FORWARDED} that annotations have switched on. */
const SET_FORWARDED = { XForwardedFor_proto: "off", XForwardedFor_SLBPORT: "off", XForwardedFor_ClientSrcPort: "off" };
const GROUP_BY_HTTP = {
    "HealthCheckConfig.HealthCheckUrl": "/other",
    "HealthCheckConfig.HealthCheckDomain": "other.example.com",
    "HealthCheckConfig.HttpCheckMethod": "HEAD",
    "HealthCheckConfig.HealthCheckHttpCode.1": "http_4xx",
    "HealthCheckConfig.HealthCheckType": "TCP",
};
const COOKIE = { StickySession: "on", StickySessionType: "server", Cookie: "theirs" };

/** Server groups of an NLB: a sample has a group of each protocol. */
const sampled = <Group extends { readonly protocol: string }>(groups: readonly Group[]): readonly Group[] =>
    WHOLE ? groups : [...new Map(groups.map((group) => [group.protocol, group])).values()];

/**
 * The rows: by kind, the edits. They are made from the cloud's state, which is there only when a test runs. A sample
 * leaves out what annotations do not set where another Service has it, and further groups.
 */
const EDITS = {
    "numbers and texts of listeners that have their defaults": () => [
        ...clbListener("bare", "tcp", { ...COMMON, ...LAYER_4, EstablishedTimeout: "100" }),
        ...clbListener("bare", "udp", { ...COMMON, ...LAYER_4 }),
        ...clbListener("bare", "http", { Description: "edited", Scheduler: "wlc", ...WEB_VALUES }),
        ...clbListener("bare", "https", {
            ...COMMON,
            ...WEB_VALUES,
            ServerCertificateId: "cert-two",
            TLSCipherPolicy: "tls_cipher_policy_1_2",
        }),
    ],
    "switches of listeners that are off or have their defaults": () => [
        ...clbListener("bare", "tcp", {
            AclType: "black",
            ConnectionDrain: { ConnectionDrain: "on", ConnectionDrainTimeout: "99" },
            ProxyProtocolV2Enabled: "true",
            HealthCheckSwitch: "off",
        }),
        ...clbListener("bare", "udp", {
            AclStatus: "off",
            ConnectionDrain: { ConnectionDrain: "on", ConnectionDrainTimeout: "99" },
            ProxyProtocolV2Enabled: "true",
            HealthCheckSwitch: "off",
        }),
        ...clbListener("bare", "http", {
            AclStatus: "off",
            ...FORWARDED,
            StickySession: COOKIE,
            HealthCheck: { HealthCheck: "on", ...BY_HTTP, ...CHECK, HealthCheckTimeout: "99" },
        }),
        ...clbListener("bare", "https", {
            AclId: "acl-one",
            ...FORWARDED,
            StickySession: { StickySession: "on", StickySessionType: "insert", CookieTimeout: "99" },
            HealthCheck: { HealthCheck: "on", ...BY_HTTP },
            EnableHttp2: "off",
        }),
    ],
    "another kind of check, and access for all": () => [
        ...clbListener("bare", "tcp", {
            HealthCheckType: { HealthCheckType: "http", HealthCheckURI: "/other", HealthCheckMethod: "get" },
            AclStatus: "off",
        }),
        ...clbListener("full", "udp", {
            ConnectionDrain: "off",
            AclStatus: { AclStatus: "on", AclType: "black", AclId: "acl-one" },
        }),
        ...clbListener("full", "http", { HealthCheck: "off", StickySession: "off", ...SET_FORWARDED }),
    ],
    "what annotations set": () => [
        ...clbListener("full", "tcp", {
            ...(WHOLE ? { ...COMMON, ...LAYER_4, EstablishedTimeout: "100" } : {}),
            ...BY_HTTP,
            HealthCheckConnectPort: "9999",
            ConnectionDrainTimeout: "99",
            ProxyProtocolV2Enabled: "false",
        }),
        ...clbListener("full", "udp", {
            ...(WHOLE ? CHECK : {}),
            HealthCheckConnectPort: "9999",
            ConnectionDrainTimeout: "99",
        }),
        ...clbListener("full", "http", { ...CHECK, ...BY_HTTP, HealthCheckTimeout: "99", CookieTimeout: "99" }),
        ...clbListener("full", "https", {
            ...CHECK,
            ...BY_HTTP,
            HealthCheckTimeout: "99",
            StickySession: COOKIE,
            ...SET_FORWARDED,
        }),
    ],
    "checks and draining that are switched off": () => [
        ...clbListener("full", "tcp", { HealthCheckType: "tcp", ConnectionDrain: "off", HealthCheckSwitch: "off" }),
        ...clbListener("full", "https", { HealthCheck: "off", StickySession: "off" }),
    ],
    "stopped listeners": () => [
        onClbListener("bare", "StopLoadBalancerListener", 9000, "tcp"),
        onClbListener("bare", "StopLoadBalancerListener", 53, "udp"),
        onClbListener("full", "StopLoadBalancerListener", 80, "http"),
        onClbListener("full", "StopLoadBalancerListener", 443, "https"),
    ],
    "a listener that is stopped and edited": () => [
        onClbListener("full", "StopLoadBalancerListener", 9000, "tcp"),
        ...clbListener("full", "tcp", { Scheduler: "wlc", HealthCheckConnectPort: "9999" }),
    ],
    "instances and groups of CLBs": () => [
        clbCall("bare", "SetLoadBalancerStatus", { LoadBalancerStatus: "inactive" }),
        clbCall("bare", "SetLoadBalancerName", { LoadBalancerName: "edited" }),
        clbCall("bare", "ModifyLoadBalancerInstanceSpec", { LoadBalancerSpec: "slb.s2.small" }),
        clbCall("bare", "ModifyLoadBalancerInternetSpec", { InternetChargeType: "paybybandwidth", Bandwidth: "7" }),
        clbCall("bare", "SetLoadBalancerDeleteProtection", { DeleteProtection: "off" }),
        clbCall("full", "SetLoadBalancerDeleteProtection", { DeleteProtection: "on" }),
        clbCall("full", "SetLoadBalancerModificationProtection", { ModificationProtectionStatus: "NonProtection" }),
        clbCall("bare", "SetLoadBalancerModificationProtection", {
            ModificationProtectionStatus: "ConsoleProtection",
            ModificationProtectionReason: "edited",
        }),
        {
            what: "full UntagResources",
            action: "UntagResources",
            params: { ResourceType: "instance", ResourceId: [clb("full")], TagKey: ["team"] },
        },
        {
            what: "bare TagResources",
            action: "TagResources",
            params: { ResourceType: "instance", ResourceId: [clb("bare")], Tag: [{ Key: "extra", Value: "1" }] },
        },
        ...cloud.slb.vServerGroups
            .filter(({ loadBalancerId }) => loadBalancerId === clb("bare"))
            .slice(0, WHOLE ? undefined : 1)
            .flatMap(({ id, backends }, index): Edit[] => [
                {
                    what: `group ${index} name`,
                    action: "SetVServerGroupAttribute",
                    params: { VServerGroupId: id, VServerGroupName: "edited" },
                },
                {
                    what: `group ${index} weight`,
                    action: "SetVServerGroupAttribute",
                    params: {
                        VServerGroupId: id,
                        BackendServers: JSON.stringify(
                            backends.slice(0, 1).map((one) => ({
                                ServerId: one.serverId,
                                Port: String(one.port),
                                Type: one.type,
                                Weight: "77",
                            })),
                        ),
                    },
                },
                {
                    what: `group ${index} members`,
                    action: "RemoveVServerGroupBackendServers",
                    params: {
                        VServerGroupId: id,
                        BackendServers: JSON.stringify(
                            backends.slice(1, 2).map((one) => ({ ServerId: one.serverId, Port: String(one.port) })),
                        ),
                    },
                },
            ]),
    ],
    "lists and further domains": () => {
        const acl = found(
            cloud.slb.acls.find(({ id }) => id !== "acl-one"),
            "list",
        );
        const domain = found(cloud.slb.domainExtensions[0] as { id?: string } | undefined, "domain");
        const entries = (...ranges: readonly string[]) =>
            JSON.stringify(ranges.map((entry) => ({ entry, comment: "edited" })));
        return [
            {
                what: "list name",
                action: "SetAccessControlListAttribute",
                params: { AclId: acl.id, AclName: "edited" },
            },
            {
                what: "list tags",
                action: "TagResources",
                params: { ResourceType: "acl", ResourceId: [acl.id], Tag: [{ Key: "extra", Value: "1" }] },
            },
            {
                what: "list emptied",
                action: "RemoveAccessControlListEntry",
                params: { AclId: acl.id, AclEntrys: entries(...RANGES) },
            },
            {
                what: "certificate of a domain",
                action: "SetDomainExtensionAttribute",
                params: { DomainExtensionId: domain.id, ServerCertificateId: "cert-two" },
            },
        ];
    },
    "a list with another entry, and one less": () => [
        onList("another entry", "AddAccessControlListEntry", "0.0.0.0/1"),
        onList("entry removed", "RemoveAccessControlListEntry", "10.0.0.0/8"),
    ],
    "an NLB": () => [
        ...Object.entries({ LoadBalancerName: "edited", CrossZoneEnabled: "false" }).map(([name, value]) =>
            nlb(`instance ${name}`, "UpdateLoadBalancerAttribute", { ...nlbId(), [name]: value }),
        ),
        nlb("deletion protection", "UpdateLoadBalancerProtection", { ...nlbId(), DeletionProtectionEnabled: "false" }),
        nlb("modification protection", "UpdateLoadBalancerProtection", {
            ...nlbId(),
            ModificationProtectionStatus: "NonProtection",
        }),
        nlb("security group joined", "LoadBalancerJoinSecurityGroup", { ...nlbId(), SecurityGroupIds: ["sg-one"] }),
        nlb("own security group left", "LoadBalancerLeaveSecurityGroup", {
            ...nlbId(),
            SecurityGroupIds: network().instance.securityGroupIds,
        }),
        nlb("tag", "TagResources", {
            ResourceType: "loadbalancer",
            ResourceId: [network().instance.id],
            Tag: [{ Key: "extra", Value: "1" }],
        }),
        nlb("zones", "UpdateLoadBalancerZones", {
            ...nlbId(),
            ZoneMappings: [
                { ZoneId: "cn-hangzhou-a", VSwitchId: "vsw-lab-a2" },
                { ZoneId: "cn-hangzhou-b", VSwitchId: "vsw-lab-b" },
            ],
        }),
    ],
    "listeners of an NLB": () => [
        ...nlbListener("TCP", {
            ListenerDescription: "edited",
            IdleTimeout: "99",
            Cps: "77",
            ProxyProtocolEnabled: "true",
        }),
        ...nlbListener("UDP", { ListenerDescription: "edited", Cps: "77" }),
        ...nlbListener("TCPSSL", {
            ListenerDescription: "edited",
            IdleTimeout: "99",
            SecurityPolicyId: "tls_cipher_policy_1_2",
            CertificateIds: { "CertificateIds.1": "cert-three" },
            Cps: "77",
            AlpnEnabled: { AlpnEnabled: "true", AlpnPolicy: "HTTP2Only" },
        }),
        nlb("certificate taken away", "DisassociateAdditionalCertificatesWithListener", {
            ListenerId: nlbListenerOf("TCPSSL").id,
            AdditionalCertificateIds: ["cert-two"],
        }),
    ],
    "stopped listeners of an NLB": () =>
        ["TCP", "UDP", "TCPSSL"].map((protocol) =>
            nlb(`${protocol} stopped`, "StopListener", { ListenerId: nlbListenerOf(protocol).id }),
        ),
    "server groups of an NLB": () =>
        sampled(network().groups).flatMap((group, index) => [
            ...Object.entries({
                ServerGroupName: "edited",
                Scheduler: "Rr",
                ConnectionDrainTimeout: "99",
                ConnectionDrainEnabled: "false",
                ...(group.protocol === "TCP"
                    ? { PreserveClientIpEnabled: String(!group.preserveClientIpEnabled) }
                    : {}),
                "HealthCheckConfig.HealthyThreshold": "5",
                "HealthCheckConfig.UnhealthyThreshold": "6",
                "HealthCheckConfig.HealthCheckInterval": "7",
                "HealthCheckConfig.HealthCheckConnectPort": "9999",
                "HealthCheckConfig.HealthCheckConnectTimeout": "9",
                ...(group.healthCheck["HealthCheckType"] === "HTTP" ? GROUP_BY_HTTP : {}),
                "HealthCheckConfig.HealthCheckEnabled": "false",
            }).map(([name, value]) =>
                nlb(`group ${index} ${name}`, "UpdateServerGroupAttribute", { ServerGroupId: group.id, [name]: value }),
            ),
            nlb(`group ${index} weight`, "UpdateServerGroupServersAttribute", {
                ServerGroupId: group.id,
                Servers: group.servers.slice(0, 1).map((one) => ({
                    ServerId: one.serverId,
                    ServerType: one.serverType,
                    Port: String(one.port),
                    Weight: "77",
                })),
            }),
        ]),
    "rules of a security group": () => {
        const group = found(
            cloud.ecs.securityGroups.find(({ id }) => network().instance.securityGroupIds.includes(id)),
            "security group",
        );
        const rule = (what: string, action: string, SourceCidrIp: string, Policy: string): Edit => ({
            what,
            product: "Ecs",
            action,
            params: { SecurityGroupId: group.id, SourceCidrIp, Policy, IpProtocol: "ALL", PortRange: "-1/-1" },
        });
        return [
            rule("a range that may not connect any more", "RevokeSecurityGroup", "10.0.0.0/8", "accept"),
            rule("all others may connect", "RevokeSecurityGroup", "0.0.0.0/0", "drop"),
        ];
    },
} satisfies Readonly<Record<string, () => readonly Edit[]>>;

/** Kinds of edits that a run heals together, since none of them hides another. */
const ROUNDS: readonly (readonly (keyof typeof EDITS)[])[] = [
    [
        "numbers and texts of listeners that have their defaults",
        "what annotations set",
        "a list with another entry, and one less",
        "an NLB",
    ],
    [
        "switches of listeners that are off or have their defaults",
        "checks and draining that are switched off",
        "listeners of an NLB",
    ],
    ["another kind of check, and access for all", "a listener that is stopped and edited", "server groups of an NLB"],
    ["stopped listeners", "lists and further domains", "stopped listeners of an NLB"],
    ["instances and groups of CLBs", "rules of a security group"],
];

function onList(what: string, action: string, entry: string): Edit {
    const list = cloud.slb.acls.find(({ id }) => id !== "acl-one");
    const entries = JSON.stringify([{ entry, comment: "edited" }]);
    return { what, action, params: { AclId: found(list, "list").id, AclEntrys: entries } };
}

const nlb = (what: string, action: string, params: Record<string, unknown>): Edit => ({
    what,
    product: "Nlb",
    action,
    params,
});

/** The NLB and its server groups. */
function network() {
    return { instance: found(cloud.nlb.loadBalancers[0], "NLB"), groups: cloud.nlb.serverGroups };
}

const nlbId = () => ({ LoadBalancerId: network().instance.id });

const nlbListenerOf = (protocol: string) =>
    found(
        cloud.nlb.listeners.find((one) => one.protocol === protocol),
        protocol,
    );

/** As {@link clbListener}, of the NLB. */
const nlbListener = (protocol: string, attributes: Attributes): Edit[] =>
    Object.entries(attributes).map(([name, value]) =>
        nlb(`${protocol} ${name}`, "UpdateListenerAttribute", {
            ListenerId: nlbListenerOf(protocol).id,
            ...(typeof value === "string" ? { [name]: value } : value),
        }),
    );

interface Explained {
    readonly health: string;
    readonly drift: number;
    readonly explanations: readonly { readonly drift?: boolean; readonly evidence: readonly string[] }[];
}

interface Said {
    readonly name: string;
    readonly health: string;
    readonly drift: string;
}

/** Returns what explain says of a Service, and the drift in it. */
async function explained(name: string): Promise<Said> {
    const { health, explanations } = JSON.parse(
        (await commands.run("explain", `default/${name}`, "--format", "json")).text,
    ) as Explained;
    const drift = explanations.filter((one) => one.drift).map(({ evidence }) => evidence);
    return { name, health, drift: JSON.stringify(drift) };
}

async function explainedAll(): Promise<Said[]> {
    const all: Said[] = [];
    for (const { name } of SERVICES) all.push(await explained(name));
    return all;
}

/** Explains Services until something new is said. Its Service then comes first. Returns undefined if nothing is. */
async function listen(said: readonly Said[]): Promise<readonly Said[] | undefined> {
    for (const before of said) {
        const now = await explained(before.name);
        if (!isDeepStrictEqual(before, now)) return [now, ...said.filter((one) => one !== before)];
    }
    return undefined;
}

test("each kind of edit is in a round", () => {
    expect(ROUNDS.flat().sort()).toStrictEqual(Object.keys(EDITS).sort());
});

for (const round of ROUNDS) {
    test(`explain and show see what a run with refresh corrects: ${round.join(", ")}`, async () => {
        const before = await leaves(session);
        const unseen: string[] = [];
        let said: readonly Said[] = await explainedAll();
        const first = said.map(({ drift }) => drift);
        const edits = round.flatMap((kind): readonly Edit[] => EDITS[kind]());
        const changed = await edit(session, edits, async (what) => {
            const now = await listen(said);
            if (now === undefined) unseen.push(what);
            else said = now;
        });
        said = await explainedAll();
        const { text: shown } = await commands.run("show", "--format", "json");
        const text = stack.succeed(await stack.up("--refresh"));
        const left = differences(before, await leaves(session));
        const unhealed = [...changed].filter(([, places]) => places.some((place) => left.includes(place)));
        expect([first, unseen]).toStrictEqual([SERVICES.map(() => "[]"), []]);
        const { services } = JSON.parse(shown) as { services: (Explained & { service: string })[] };
        for (const { name, health, drift } of said) {
            const row = services.find(({ service }) => service === `default/${name}`);
            expect([name, row?.health, row?.drift === 0]).toStrictEqual([name, health, drift === "[]"]);
        }
        expect([unhealed.map(([what]) => what), left, text]).toStrictEqual([[], [], text]);
    });
}

test("after the corrections a refresh finds nothing, and an edited comment of an ACL entry stays", async () => {
    const before = await leaves(session);
    await edit(session, [
        onList("entry removed", "RemoveAccessControlListEntry", "10.0.0.0/8"),
        onList("entry back with another comment", "AddAccessControlListEntry", "10.0.0.0/8"),
    ]);
    stack.succeed(await stack.up("--refresh", "--expect-no-changes"));
    expect(differences(before, await leaves(session))).toHaveLength(1);
});
