import { expect, test } from "@jest/globals";
import { buildNlb } from "../../provider/plan/desired";
import type { Service } from "../../provider/service/service";
import { defaultLoadBalancerName, nlbOwnershipKey } from "../../provider/schema/names";
import type { ObservedNlb } from "../../provider/plan/adoption";
import type { Settings } from "../../provider/schema/settings";
import type { FilledGroup } from "./comparison";
import { compareNlb } from "./load-balancers";

const UID = "5e4dbfc9-c2ae-4642-b033-5607860aef6a";
const OWNER = { namespace: "shop", name: "web", clusterId: "c1" };
const MARK = defaultLoadBalancerName(UID);
const TAGS = { "kubernetes.do.not.delete": MARK, "ack.aliyun.com": "c1" };
const ZONES = [
    { zoneId: "cn-hangzhou-a", vswitchId: "vsw-a" },
    { zoneId: "cn-hangzhou-b", vswitchId: "vsw-b" },
];
const GROUP = nlbOwnershipKey(30080, "tcp", OWNER);
const RANGE = nlbOwnershipKey("81_90", "tcp", OWNER);

const SERVICE: Service = {
    namespace: "shop",
    name: "web",
    selector: { app: "web" },
    ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30080 }],
    externalTrafficPolicy: "Cluster",
    loadBalancerType: "nlb",
    loadBalancerSourceRanges: [],
    object: {},
    settings: { zoneMaps: ZONES },
};

const LISTENER: ObservedNlb["listeners"][number] = {
    kind: "nlb",
    id: "lsn-1@80",
    protocol: "tcp",
    port: 80,
    description: nlbOwnershipKey(80, "tcp", OWNER),
    serverGroupId: "sgp-1",
    status: "Running",
    tags: {},
    attributes: { idleTimeout: 900 },
};

const CHECK = {
    enabled: true,
    type: "TCP",
    connectPort: 0,
    connectTimeout: 5,
    interval: 10,
    healthyThreshold: 2,
    unhealthyThreshold: 2,
} as const;

const WEB_CHECK = { url: "/", domain: "$SERVER_IP", method: "GET", codes: ["http_2xx"] } as const;

const SERVER_GROUP: ObservedNlb["serverGroups"][number] = {
    id: "sgp-1",
    name: GROUP,
    backends: ["i-1", "i-2"].map((id) => ({ address: id, port: 30080, weight: 100, mark: GROUP })),
    vpcId: "vpc-1",
    protocol: "tcp",
    type: "Instance",
    anyPort: false,
    ipVersion: "ipv4",
    // The API takes the word in any case, and gives it back as it was written.
    scheduler: "wrr",
    preserveClientIp: true,
    tags: TAGS,
    loadBalancerIds: ["nlb-1"],
    healthCheck: CHECK,
};

const OBSERVED: ObservedNlb = {
    kind: "nlb",
    id: "nlb-1",
    name: MARK,
    address: "nlb-1.example.com",
    addressType: "internet",
    ipVersion: "ipv4",
    vpcId: "vpc-1",
    crossZoneEnabled: "on",
    deleteProtection: "on",
    modificationProtection: "ConsoleProtection",
    modificationProtectionReason: "managed.by.ack",
    securityGroupIds: [],
    zoneMaps: ZONES.map((zone, index) => ({ ...zone, privateIpv4: `10.0.${index}.7`, allocationId: `eip-${index}` })),
    tags: { ...TAGS, "acs:system": "of the cloud" },
    listeners: [LISTENER],
    serverGroups: [SERVER_GROUP],
};

const BACKENDS = { "i-1": { weight: 100 }, "i-2": { weight: 100 } };

interface Given {
    readonly observed?: Partial<ObservedNlb>;
    readonly settings?: Settings;
    readonly service?: Partial<Service>;
    readonly groups?: readonly Partial<FilledGroup>[];
    readonly allowEmpty?: boolean;
}

function compare({ observed = {}, settings = {}, service = {}, groups = [{}], allowEmpty = false }: Given = {}) {
    const all = { ...SERVICE, ...service, settings: { ...SERVICE.settings, ...settings } };
    const facts = { clusterId: "c1", vpcId: "vpc-1" };
    const desired = buildNlb(all, facts);
    return compareNlb(
        {
            service: all,
            facts,
            desired,
            references: {},
            uid: UID,
            groups: groups.map((group, index) => ({
                model: desired.serverGroups[index] ?? never(),
                name: GROUP,
                ...(all.settings.listenerPortRange === undefined && { nodePort: 30080 }),
                backends: BACKENDS,
                ...group,
            })),
            allowEmpty,
        },
        { ...OBSERVED, ...observed },
    );
}

const found = (given: Given) =>
    compare(given).differences.map(({ verdict, object, attribute }) => `${verdict} ${object} ${attribute}`.trim());
const listener = (more: Partial<ObservedNlb["listeners"][number]>) => ({
    observed: { listeners: [{ ...LISTENER, ...more }] },
});
const group = (more: Partial<ObservedNlb["serverGroups"][number]>) => ({
    observed: { serverGroups: [{ ...SERVER_GROUP, ...more }] },
});

test("an NLB as CCM leaves it: everything is taken over, and nothing differs", () => {
    const { adoption, differences } = compare();
    expect(differences).toStrictEqual([]);
    expect(adoption).toStrictEqual({
        loadBalancerId: "nlb-1",
        serverGroups: { "tcp-80": "sgp-1" },
        listeners: { "tcp-80": "lsn-1@80" },
        domainExtensions: {},
        // Zones are a resource of their own, and a word in another case is no change.
        keep: { instance: ["zoneMappings"], "tcp-80": [], "group/tcp-80": ["scheduler"] },
    });
});

const DIFFERENCES: readonly (readonly [string, Given, readonly string[]])[] = [
    ["another name", { observed: { name: "renamed" } }, ["differs load balancer name"]],
    ["a limit of connections", { observed: { cps: 1000 } }, ["differs load balancer cps"]],
    [
        "a security group of the console",
        { observed: { securityGroupIds: ["sg-1"] } },
        ["differs load balancer securityGroupIds"],
    ],
    [
        "another reason of the protection",
        { observed: { modificationProtectionReason: "by hand" } },
        ["note load balancer modificationProtectionReason"],
    ],
    [
        "another VPC",
        { observed: { vpcId: "vpc-2" } },
        ["refused load balancer vpcId", `refused server group ${GROUP} vpcId`],
    ],
    [
        "an address type that the cloud does not report",
        { observed: { addressType: undefined } },
        ["differs load balancer addressType"],
    ],
    [
        "another IP version",
        { settings: { ipVersion: "DualStack" }, observed: { ipv6AddressType: "intranet" } },
        ["refused load balancer ipVersion"],
    ],
    [
        "the instance of another Service",
        { observed: { tags: { ...TAGS, "kubernetes.do.not.delete": "a9" } } },
        ["refused load balancer tag kubernetes.do.not.delete", "differs load balancer tag kubernetes.do.not.delete"],
    ],
    [
        "a vSwitch that was changed",
        { observed: { zoneMaps: [ZONES[0] ?? never(), { zoneId: "cn-hangzhou-b", vswitchId: "vsw-c" }] } },
        ["differs load balancer zoneMaps"],
    ],
    [
        "a zone more",
        { observed: { zoneMaps: [...ZONES, { zoneId: "cn-hangzhou-c", vswitchId: "vsw-c" }] } },
        ["differs load balancer zoneMaps"],
    ],
    [
        "a bandwidth package that nobody names",
        { observed: { bandwidthPackageId: "cbwp-1" } },
        ["note load balancer bandwidthPackageId cbwp-1"],
    ],
    [
        "a bandwidth package that is not there",
        { settings: { bandwidthPackageId: "cbwp-1" } },
        ["refused load balancer bandwidthPackageId"],
    ],
    [
        "no security group of source ranges",
        { service: { loadBalancerSourceRanges: ["10.0.0.0/8"] } },
        ["differs load balancer securityGroupIds", "note security group of loadBalancerSourceRanges"],
    ],
    [
        "a range that was taken away",
        {
            service: { loadBalancerSourceRanges: ["10.0.0.0/8"] },
            observed: { securityGroupIds: ["sg-9"], securityGroup: { id: "sg-9", rules: { "0.0.0.0/0": "drop" } } },
        },
        ["differs security group of loadBalancerSourceRanges 10.0.0.0/8"],
    ],
    ["a stopped listener", listener({ status: "Stopped" }), ["differs listener tcp:80 status"]],
    ["another idle timeout", listener({ attributes: { idleTimeout: 60 } }), ["differs listener tcp:80 idleTimeout"]],
    ["a segment size of the console", listener({ mss: 1000 }), ["differs listener tcp:80 mss"]],
    ["a tag of the console", listener({ tags: { a: "b" } }), ["differs listener tcp:80 tag a"]],
    ["a listener of another protocol", listener({ protocol: "tcpssl" }), ["refused listener tcp:80 protocol"]],
    ["a range that holds the port", listener({ port: 70, endPort: 90 }), ["refused listener tcp:80 ports"]],
    ["a listener of a user", listener({ description: "by hand" }), ["refused listener tcp:80 description"]],
    [
        "a listener that leads elsewhere",
        listener({ serverGroupId: "sgp-9" }),
        ["differs listener tcp:80 serverGroupId"],
    ],
    ["no listener", { observed: { listeners: [] } }, ["note listener tcp:80"]],
    [
        "a listener of a former port",
        { observed: { listeners: [LISTENER, { ...LISTENER, id: "lsn-2", port: 81 }] } },
        ["note listener tcp:81"],
    ],
    [
        "a UDP listener of a user on the port",
        { observed: { listeners: [LISTENER, { ...LISTENER, id: "lsn-2", protocol: "udp", description: "dns" }] } },
        [],
    ],
    ["another scheduler", group({ scheduler: "Rr" }), [`differs server group ${GROUP} scheduler`]],
    [
        "another interval of checks",
        group({ healthCheck: { ...CHECK, interval: 30 } }),
        [`differs server group ${GROUP} health check interval`],
    ],
    [
        "checks by another version of HTTP",
        {
            settings: { healthCheckType: "http" },
            ...group({ healthCheck: { ...CHECK, type: "HTTP", http: { ...WEB_CHECK, version: "HTTP1.1" } } }),
        },
        [`differs server group ${GROUP} health check version`],
    ],
    [
        "a request of checks that nobody names",
        group({ checkRequest: "ping" }),
        [`differs server group ${GROUP} health check request`],
    ],
    ["another type of servers", group({ type: "Ip" }), [`refused server group ${GROUP} server group type`]],
    [
        "a short draining time",
        {
            settings: { connectionDrain: "on", connectionDrainTimeout: 5 },
            ...group({ drainTimeout: 7 }),
        },
        [`differs server group ${GROUP} connection draining`],
    ],
    [
        "a member less",
        group({ backends: SERVER_GROUP.backends?.slice(1) ?? [] }),
        [`differs server group ${GROUP} backend i-1`],
    ],
    [
        "a member of a user",
        group({ backends: [...(SERVER_GROUP.backends ?? []), { address: "i-9", port: 1, weight: 1 }] }),
        [],
    ],
    [
        "no answer of the cluster",
        { groups: [{ backends: {} }] },
        [`refused server group ${GROUP} backend i-1`, `refused server group ${GROUP} backend i-2`],
    ],
    [
        "no server group",
        { observed: { serverGroups: [], listeners: [] } },
        [`note server group ${GROUP}`, "note listener tcp:80"],
    ],
    [
        "two groups of one name",
        {
            observed: {
                serverGroups: [
                    { ...SERVER_GROUP, id: "sgp-8" },
                    { ...SERVER_GROUP, id: "sgp-9" },
                ],
            },
        },
        [`refused server group ${GROUP} name`, "differs listener tcp:80 serverGroupId"],
    ],
    [
        "a group of a former nodePort",
        {
            observed: {
                serverGroups: [
                    SERVER_GROUP,
                    { ...SERVER_GROUP, id: "sgp-2", name: nlbOwnershipKey(31000, "tcp", OWNER) },
                ],
            },
        },
        [`note server group ${nlbOwnershipKey(31000, "tcp", OWNER)}`],
    ],
];

function never(): never {
    throw new Error("a zone is missing");
}

test.each(DIFFERENCES)("an NLB with %s", (_, given, expected) => {
    expect(found(given)).toStrictEqual(expected);
});

test("what differs is kept as it is while it is imported, and zones that differ are recorded", () => {
    const { adoption } = compare({
        ...group({ scheduler: "Rr", healthCheck: { enabled: false } }),
        settings: { zoneMaps: [ZONES[0] ?? never(), { zoneId: "cn-hangzhou-b", vswitchId: "vsw-c" }], name: "front" },
    });
    expect(adoption.keep).toMatchObject({
        instance: ["loadBalancerName", "zoneMappings"],
        "group/tcp-80": ["scheduler", "healthCheck"],
    });
    expect(adoption.zones).toStrictEqual(OBSERVED.zoneMaps);
});

test("a range of ports, with addresses that have no port of their own, is taken over", () => {
    const settings: Settings = {
        backendType: "eni",
        serverGroupType: "Ip",
        listenerPortRange: [{ from: 81, to: 90, port: 80 }],
    };
    const { adoption, differences } = compare({
        settings,
        groups: [{ name: RANGE, backends: { "10.0.0.1": { weight: 100 } } }],
        observed: {
            listeners: [
                {
                    ...LISTENER,
                    port: 81,
                    endPort: 90,
                    description: RANGE,
                },
            ],
            serverGroups: [
                {
                    ...SERVER_GROUP,
                    name: RANGE,
                    backends: [{ address: "10.0.0.1", port: 0, weight: 100, mark: RANGE }],
                    type: "Ip",
                    anyPort: true,
                    healthCheck: { ...CHECK, connectPort: 8080 },
                },
            ],
        },
    });
    expect(differences).toStrictEqual([]);
    expect(adoption.listeners).toStrictEqual({ "tcp-80": "lsn-1@80" });
});
