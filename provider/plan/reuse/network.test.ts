/** Requirements: E01, E02, E03, E04, E05, E06, I24, X21. */
import { expect, test } from "@jest/globals";
import { REQUEST as CLASSIC } from "../../../test/support/reuse";
import { formatSentences } from "../../diagnostics";
import { sharePort } from "../../schema/listener-address";
import type { ObservedServerGroup } from "../../schema/server-group";
import type { ObservedLoadBalancer } from "../observed";
import type { ReuseRequest } from "../../service/reuse";
import { compareReused, onlyRequested } from "./changes";
import { checkReuse } from ".";
import { checkDroppedListeners, replacedListeners } from "./ownership";
import { collisions } from "./tenants";

/** An NLB's IP version counts only where it is stated. */
const { ipVersion: _, ...STATED } = CLASSIC;
const REQUEST: ReuseRequest = {
    ...STATED,
    loadBalancerType: "nlb",
    loadBalancerId: "nlb-1",
    crossesVpcs: true,
    groupType: "Instance",
};
type Nlb = Extract<ObservedLoadBalancer, { kind: "nlb" }>;
const FOUND: Nlb = {
    kind: "nlb",
    id: "nlb-1",
    address: "nlb-1.example",
    addressType: "internet",
    ipVersion: "ipv4",
    vpcId: "vpc-1",
    status: "active",
    zoneMaps: [],
    securityGroupIds: [],
    deleteProtection: "off",
    tags: {},
    listeners: [],
    serverGroups: [],
};
const userManaged = {
    id: "lsn-1",
    protocol: "tcpssl" as const,
    port: 80,
    description: "theirs",
    serverGroupId: "sgp-1",
};
const keyed = (key: string) => ({ id: "lsn-2", protocol: "tcp" as const, port: 80, description: key });
const GROUP: ObservedServerGroup = {
    id: "sgp-9",
    name: "theirs",
    type: "Instance",
    protocol: "tcp",
    vpcId: "vpc-1",
    anyPort: false,
};
const joins = { joinedGroups: [{ vgroupId: "sgp-9", port: 80 }] };
const unmanaged = { manageListeners: false, ...joins };

const CASES: readonly [string, Partial<ReuseRequest>, Partial<Nlb>, readonly string[]][] = [
    ["an empty instance of a user", {}, {}, []],
    ["made for a Service", {}, { tags: { "kubernetes.do.not.delete": "a1" } }, ["error instance-of-cluster"]],
    ["made by a cluster, whatever the tag says", {}, { tags: { "ack.aliyun.com": "" } }, ["error instance-of-cluster"]],
    [
        "an API server's",
        {},
        { listeners: [{ protocol: "tcp", port: 6443, description: "" }] },
        ["error instance-of-api-server"],
    ],
    [
        "a range that holds an API server's port",
        {},
        { listeners: [{ protocol: "tcp", port: 6000, endPort: 7000, description: "" }] },
        ["error instance-of-api-server"],
    ],
    ["on the list of those that no Service may use", { denied: ["nlb-1"] }, {}, ["error instance-denied"]],
    ["locked", {}, { status: "locked" }, ["error instance-locked"]],
    ["never made", {}, { status: "createfailed" }, ["error instance-locked"]],
    ["going", {}, { status: "deleting" }, ["error instance-locked"]],
    ["still in the making", {}, { status: "provisioning" }, []],
    ["internal, and nothing said", {}, { addressType: "intranet" }, ["error address-type"]],
    [
        "internal, and to be switched",
        { attributes: { addressType: "internet" } },
        { addressType: "intranet" },
        ["warning instance-changed"],
    ],
    [
        "internal, as stated",
        { addressType: "intranet", attributes: { addressType: "intranet" } },
        { addressType: "intranet" },
        [],
    ],
    ["dual-stack, and nothing said", {}, { ipVersion: "DualStack" }, []],
    ["IPv4, and dual-stack stated", { ipVersion: "DualStack" }, {}, ["error ip-version"]],
    ["in another VPC", {}, { vpcId: "vpc-2" }, ["warning vpc-crossed"]],
    ["in another VPC, before it was possible", { crossesVpcs: false }, { vpcId: "vpc-2" }, ["error vpc"]],
    ["in a VPC that cannot be compared", { vpcId: undefined }, { vpcId: "vpc-2" }, []],
    [
        "another resource group",
        { fixed: { resourceGroupId: "rg-1" } },
        { resourceGroupId: "rg-2" },
        ["error fixed-setting"],
    ],
    ["bound to its DNS name", { boundTo: ["nlb-1.example"] }, {}, []],
    ["bound to another DNS name", { boundTo: ["nlb-2.example"] }, {}, ["error bound-elsewhere"]],
    [
        "its name taken by another cluster",
        {},
        { listeners: [{ ...keyed("k8s.81.TCP.web.shop.c2"), port: 81 }] },
        ["error name-taken"],
    ],
    [
        "its name taken in a group",
        {},
        { serverGroups: [{ ...GROUP, name: "k8s.30080.TCP.web.shop.c2" }] },
        ["error name-taken"],
    ],
    ["its own listener", {}, { listeners: [keyed("k8s.80.TCP.web.shop.c1")] }, []],
    ["another Service's listener", {}, { listeners: [keyed("k8s.80.TCP.api.shop.c1")] }, ["error listener-of-service"]],
    [
        "a user-managed listener of any protocol of the family",
        {},
        { listeners: [userManaged] },
        ["warning listener-replaced"],
    ],
    [
        "a user-managed range over its port",
        {},
        { listeners: [{ ...userManaged, port: 70, endPort: 90 }] },
        ["warning listener-replaced"],
    ],
    ["a user-managed listener on udp", {}, { listeners: [{ protocol: "udp", port: 80, description: "theirs" }] }, []],
    ["no listener forwards to it", { manageListeners: false }, {}, ["warning listeners-unmanaged"]],
    [
        "a user-managed listener forwards to its group",
        { manageListeners: false },
        {
            listeners: [{ ...userManaged, protocol: "tcp" }],
            serverGroups: [{ ...GROUP, id: "sgp-1", name: "k8s.30080.TCP.web.shop.c1" }],
        },
        [],
    ],
    ["a group that is not there", unmanaged, {}, ["error group-missing"]],
    [
        "a group made for a Service",
        unmanaged,
        { serverGroups: [{ ...GROUP, name: "k8s.30080.TCP.api.shop.c7" }] },
        ["error group-of-service"],
    ],
    ["a group of a user", unmanaged, { serverGroups: [GROUP] }, []],
    [
        "a group of addresses for instances",
        unmanaged,
        { serverGroups: [{ ...GROUP, type: "Ip" }] },
        ["error group-unfit"],
    ],
    [
        "a group of another VPC behind a user-managed listener",
        unmanaged,
        { serverGroups: [{ ...GROUP, vpcId: "vpc-2" }] },
        [],
    ],
    [
        "a group of another VPC behind its own listener",
        joins,
        { serverGroups: [{ ...GROUP, vpcId: "vpc-2" }] },
        ["error group-unfit"],
    ],
    [
        "a group of another protocol behind its own listener",
        joins,
        { serverGroups: [{ ...GROUP, protocol: "udp" }] },
        ["error group-unfit"],
    ],
    [
        "a group of both protocols behind its own listener",
        joins,
        { serverGroups: [{ ...GROUP, protocol: "tcp_udp" }] },
        [],
    ],
    [
        "a group that answers on every port behind a single one",
        joins,
        { serverGroups: [{ ...GROUP, anyPort: true }] },
        ["error group-unfit"],
    ],
    [
        "a group that answers on one port behind many",
        { ...joins, listeners: [{ protocol: "tcp", port: 80, endPort: 90 }] },
        { serverGroups: [GROUP] },
        ["error group-unfit"],
    ],
];

for (const [what, request, found, expected] of CASES) {
    test(`reuse of an NLB: ${what}: ${expected.join(", ") || "fine"}`, () => {
        const findings = checkReuse({ ...REQUEST, ...request }, { ...FOUND, ...found });
        expect(findings.map(({ severity, code }) => `${severity} ${code}`).sort()).toStrictEqual([...expected]);
        for (const finding of findings) {
            expect(formatSentences(finding)).toMatch(/^.+\. Remedy: .+\. Source: .+\.$/s);
            expect(finding.cause).not.toMatch(/vServer/);
        }
    });
}

test("what is replaced on an NLB is named with its ports, and what stays is not", () => {
    const group = { ...GROUP, id: "sgp-1", backends: [{ address: "i-1", port: 8000, weight: 70 }] };
    const range = { ...userManaged, port: 79, endPort: 81 };
    const found = { ...FOUND, listeners: [range, { ...userManaged, port: 82 }], serverGroups: [group] };
    expect(replacedListeners(REQUEST, found)).toStrictEqual([{ listener: range, group }]);
    expect(checkReuse(REQUEST, found)[0]?.cause ?? "").toMatch(
        /tcpssl:79-81 \(description "theirs", server group "theirs" with i-1:8000 \(weight 70\)\) of load balancer nlb-1/,
    );
});

test("listeners share a port if their ranges meet and their family is one", () => {
    const at = (protocol: "tcp" | "udp" | "tcpssl", port: number, endPort?: number) => ({
        protocol,
        port,
        ...(endPort === undefined ? {} : { endPort }),
    });
    const pairs = [
        [at("tcp", 80), at("tcpssl", 80), true],
        [at("tcp", 80), at("udp", 80), false],
        [at("tcp", 80, 90), at("tcp", 90), true],
        [at("tcp", 80, 90), at("tcp", 91), false],
        [at("tcp", 80, 90), at("tcp", 70, 80), true],
        [at("tcp", 80, 90), at("tcp", 70, 79), false],
    ] as const;
    for (const [one, other, expected] of pairs) {
        expect([sharePort(one, other), sharePort(other, one)]).toStrictEqual([expected, expected]);
    }
});

test("changes of an NLB are the stated settings that differ; an unstated address may be any", () => {
    const found: Nlb = {
        ...FOUND,
        crossZoneEnabled: "on",
        securityGroupIds: ["sg-1", "sg-2"],
        zoneMaps: [
            { zoneId: "z-a", vswitchId: "vsw-a", privateIpv4: "10.0.0.1" },
            { zoneId: "z-b", vswitchId: "vsw-b", privateIpv4: "10.0.0.2" },
        ],
    };
    const zones = (second: string, privateIpv4?: string) => [
        { zoneId: "z-a", vswitchId: "vsw-a" },
        { zoneId: "z-b", vswitchId: second, ...(privateIpv4 === undefined ? {} : { privateIpv4 }) },
    ];
    const same = {
        addressType: "internet",
        crossZoneEnabled: "on",
        securityGroupIds: ["sg-1", "sg-2"],
        zoneMaps: zones("vsw-b"),
    } as const;
    expect(compareReused({ attributes: same, additionalTags: {} }, found)).toStrictEqual([]);
    expect(onlyRequested(same, found)).toStrictEqual(same);
    expect(
        compareReused(
            {
                attributes: {
                    securityGroupIds: ["sg-3"],
                    bandwidthPackageId: "cbwp-1",
                    zoneMaps: zones("vsw-c", "10.0.0.9"),
                },
                additionalTags: {},
            },
            found,
        ),
    ).toMatchObject([
        { attribute: "securityGroupIds", observed: "sg-1,sg-2", desired: "sg-3" },
        { attribute: "bandwidthPackageId", observed: "-", desired: "cbwp-1" },
        { attribute: "zoneMaps", observed: "z-a:vsw-a,z-b:vsw-b:10.0.0.2", desired: "z-a:vsw-a,z-b:vsw-c:10.0.0.9" },
    ]);
});

test("an NLB listener that has become user-managed is kept when it is no longer desired", () => {
    const now = { ...REQUEST, listeners: [] };
    const codes = (description: string) =>
        checkDroppedListeners(REQUEST, now, { ...FOUND, listeners: [keyed(description)] }).map(({ code }) => code);
    expect(codes("theirs")).toStrictEqual(["listener-taken"]);
    expect(codes("k8s.80.TCP.web.shop.c1")).toStrictEqual([]);
});

test("two Services on ranges that meet are refused by name", () => {
    const tenant = (service: string, port: number, endPort: number) => ({
        service,
        instance: "nlb-1",
        listeners: [{ protocol: "tcp" as const, port, endPort }],
        manageListeners: true,
        joinedGroups: [],
    });
    expect(collisions([tenant("a", 80, 90), tenant("b", 85, 95)]).map(({ listener }) => listener)).toStrictEqual([
        "tcp:80-90",
    ]);
    expect(collisions([tenant("a", 80, 90), tenant("b", 91, 95)])).toStrictEqual([]);
});
