/**
 * Requirements: D12, E01, E02, E03, E04, E05, E06, E10, E20, F07, G26, G34, G36, H19, I01, I23, I24, I59, I60, I61,
 * X05.
 */
import { expect, test } from "@jest/globals";
import { REQUEST } from "../../../test/support/reuse";
import { formatSentences } from "../../diagnostics";
import type { ObservedLoadBalancer } from "../observed";
import type { ReuseRequest, Tenant } from "../../service/reuse";
import { compareReused } from "./changes";
import { checkReuse } from ".";
import { checkDroppedListeners, replacedListeners } from "./ownership";
import { collisions, describeCollision } from "./tenants";

type Clb = Extract<ObservedLoadBalancer, { kind: "clb" }>;
const FOUND: Clb = {
    kind: "clb",
    id: "lb-1",
    address: "203.0.113.1",
    addressType: "internet",
    ipVersion: "ipv4",
    status: "active",
    tags: {},
    listeners: [],
    serverGroups: [],
};
const userManaged = { protocol: "http" as const, port: 80, description: "theirs", serverGroupId: "rsp-1" };
const keyed = (key: string) => ({ protocol: "tcp" as const, port: 80, description: key });

const CASES: readonly [string, Partial<ReuseRequest>, Partial<Clb>, readonly string[]][] = [
    ["an empty instance of a user", {}, {}, []],
    ["made for a Service", {}, { tags: { "kubernetes.do.not.delete": "a1" } }, ["error instance-of-cluster"]],
    ["made by a cluster, whatever the tag says", {}, { tags: { "ack.aliyun.com": "" } }, ["error instance-of-cluster"]],
    [
        "an API server's",
        {},
        { listeners: [{ protocol: "tcp", port: 6443, description: "" }] },
        ["error instance-of-api-server"],
    ],
    ["udp:6443 is no API server", {}, { listeners: [{ protocol: "udp", port: 6443, description: "" }] }, []],
    ["on the list of those that no Service may use", { denied: ["lb-1"] }, {}, ["error instance-denied"]],
    [
        "used by another cluster under the same id",
        { clusterUid: "uid-b" },
        { tags: { "ack-loadbalancer.io/c1": "uid-a" } },
        ["error cluster-id-taken"],
    ],
    ["used by the same cluster", { clusterUid: "uid-a" }, { tags: { "ack-loadbalancer.io/c1": "uid-a" } }, []],
    ["used by a cluster of another id", { clusterUid: "uid-b" }, { tags: { "ack-loadbalancer.io/c2": "uid-a" } }, []],
    ["used by a cluster that cannot be compared", {}, { tags: { "ack-loadbalancer.io/c1": "uid-a" } }, []],
    ["locked", {}, { status: "locked" }, ["error instance-locked"]],
    ["another address type", {}, { addressType: "intranet", vpcId: "vpc-1" }, ["error address-type"]],
    ["another IP version", {}, { ipVersion: "ipv6" }, ["error ip-version"]],
    ["in another VPC", { addressType: "intranet" }, { addressType: "intranet", vpcId: "vpc-2" }, ["error vpc"]],
    [
        "in a VPC that cannot be compared",
        { addressType: "intranet", vpcId: undefined },
        { addressType: "intranet", vpcId: "vpc-2" },
        ["warning vpc-unknown"],
    ],
    ["one that faces the Internet is in no VPC that counts", {}, { vpcId: "vpc-2" }, []],
    ["a fixed setting that is as stated", { fixed: { resourceGroupId: "rg-1" } }, { resourceGroupId: "rg-1" }, []],
    [
        "a fixed setting that is not",
        { fixed: { resourceGroupId: "rg-1", masterZoneid: "z1" } },
        { resourceGroupId: "rg-2", masterZoneId: "z2" },
        ["error fixed-setting", "error fixed-setting"],
    ],
    [
        "paid by specification, as stated",
        { attributes: { instanceChargeType: "PayBySpec" } },
        { instanceChargeType: "PayBySpec", spec: "slb.s1.small" },
        [],
    ],
    [
        "paid by usage for ever",
        { attributes: { instanceChargeType: "PayBySpec" } },
        { instanceChargeType: "PayByCLCU" },
        ["error charge-type"],
    ],
    [
        "paid by usage, where a specification is stated",
        { attributes: { spec: "slb.s2.small" } },
        { instanceChargeType: "PayByCLCU", spec: "slb.lcu.elastic" },
        ["error charge-type"],
    ],
    [
        "paid by usage, where traffic is to be paid for by bandwidth",
        { attributes: { internetChargeType: "PayByBandwidth", bandwidth: 5 } },
        { instanceChargeType: "PayByCLCU" },
        ["error charge-type"],
    ],
    [
        "paid by usage, where traffic is to be paid for as it is",
        { attributes: { internetChargeType: "PayByTraffic" } },
        { instanceChargeType: "PayByCLCU", internetChargeType: "paybytraffic" },
        [],
    ],
    [
        "paid by specification, where another one is stated",
        { attributes: { spec: "slb.s2.small", internetChargeType: "PayByBandwidth", bandwidth: 5 } },
        { instanceChargeType: "PayBySpec", spec: "slb.s1.small" },
        ["warning instance-changed"],
    ],
    [
        "pods behind a shared-performance instance",
        { attachesPods: true },
        { instanceChargeType: "PayBySpec" },
        ["error shared-performance"],
    ],
    [
        "pods behind a guaranteed one",
        { attachesPods: true },
        { instanceChargeType: "PayBySpec", spec: "slb.s1.small" },
        [],
    ],
    ["bound to its address", { boundTo: ["203.0.113.1"] }, {}, []],
    ["bound to another address", { boundTo: ["203.0.113.9"] }, {}, ["error bound-elsewhere"]],
    [
        "its name taken by another cluster",
        {},
        { listeners: [{ ...keyed("k8s/81/web/shop/c2"), port: 81 }] },
        ["error name-taken"],
    ],
    [
        "its name taken in a group",
        {},
        { serverGroups: [{ id: "rsp-1", name: "k8s/30080/web/shop/c2" }] },
        ["error name-taken"],
    ],
    ["its own listener", {}, { listeners: [keyed("k8s/80/web/shop/c1")] }, []],
    ["another Service's listener", {}, { listeners: [keyed("k8s/80/api/shop/c1")] }, ["error listener-of-service"]],
    [
        "a user-managed listener of any protocol of the family",
        {},
        { listeners: [userManaged] },
        ["warning listener-replaced"],
    ],
    ["a user-managed listener on udp", {}, { listeners: [{ protocol: "udp", port: 80, description: "theirs" }] }, []],
    [
        "a user-managed listener while none are managed",
        { manageListeners: false },
        { listeners: [userManaged] },
        ["warning listeners-unmanaged"],
    ],
    [
        "a user-managed listener that another one redirects to",
        {},
        {
            listeners: [
                { ...userManaged, protocol: "https" },
                { protocol: "http", port: 8080, description: "theirs", forwardPort: 80 },
            ],
        },
        ["error listener-redirect"],
    ],
    [
        "its own listener, edited by a user, with its own redirect",
        {},
        {
            listeners: [
                { ...userManaged, protocol: "https" },
                { protocol: "http", port: 8080, description: "k8s/8080/web/shop/c1", forwardPort: 80 },
            ],
        },
        ["warning listener-replaced"],
    ],
    ["no listener forwards to it", { manageListeners: false }, {}, ["warning listeners-unmanaged"]],
    [
        "a user-managed listener forwards to its group",
        { manageListeners: false },
        {
            listeners: [{ protocol: "tcp", port: 80, description: "theirs", serverGroupId: "rsp-1" }],
            serverGroups: [{ id: "rsp-1", name: "k8s/30080/web/shop/c1" }],
        },
        [],
    ],
    ["a group that is not there", { joinedGroups: [{ vgroupId: "rsp-9", port: 80 }] }, {}, ["error group-missing"]],
    [
        "a group made for a Service",
        { joinedGroups: [{ vgroupId: "rsp-9", port: 80 }] },
        { serverGroups: [{ id: "rsp-9", name: "k8s/30080/api/shop/c7" }] },
        ["error group-of-service"],
    ],
    [
        "a group of a user, and no listener of one's own",
        { manageListeners: false, joinedGroups: [{ vgroupId: "rsp-9", port: 80 }] },
        { serverGroups: [{ id: "rsp-9", name: "theirs" }] },
        [],
    ],
];

for (const [what, request, found, expected] of CASES) {
    test(`reuse: ${what}: ${expected.join(", ") || "fine"}`, () => {
        const findings = checkReuse({ ...REQUEST, ...request }, { ...FOUND, ...found });
        expect(findings.map(({ severity, code }) => `${severity} ${code}`).sort()).toStrictEqual([...expected]);
        for (const finding of findings) {
            expect(formatSentences(finding)).toMatch(/^.+\. Remedy: .+\. Source: .+\.$/s);
        }
    });
}

test("reuse: an instance that is not there is all there is to say", () => {
    expect(checkReuse(REQUEST, undefined).map(({ code }) => code)).toStrictEqual(["instance-missing"]);
});

test("what is replaced is named with its description, its group and the group's members", () => {
    const group = {
        id: "rsp-1",
        name: "their group",
        backends: [{ address: "i-1", port: 8000, weight: 70 }],
    };
    const found = { ...FOUND, listeners: [userManaged, { ...userManaged, port: 81 }], serverGroups: [group] };
    expect(replacedListeners(REQUEST, found)).toStrictEqual([{ listener: userManaged, group }]);
    expect(checkReuse(REQUEST, found)[0]?.cause ?? "").toMatch(
        /http:80 \(description "theirs", vServer group "their group" with i-1:8000 \(weight 70\)\) of load balancer lb-1/,
    );
});

test("changes of the instance are the stated settings that differ, regardless of case", () => {
    const found = {
        ...FOUND,
        name: "users",
        internetChargeType: "paybytraffic",
        deleteProtection: "off" as const,
        tags: { team: "a", tier: "b" },
    };
    const request = {
        attributes: { name: "users", internetChargeType: "PayByTraffic" as const, deleteProtection: "on" as const },
        additionalTags: { team: "a", tier: "c", env: "x" },
    };
    expect(compareReused(request, found)).toMatchObject([
        { attribute: "deleteProtection", observed: "off", desired: "on" },
        { attribute: "tags.tier", observed: "b", desired: "c" },
        { attribute: "tags.env", observed: "-", desired: "x" },
    ]);
});

test("a listener that is no longer desired and has become user-managed is not taken away", () => {
    const now = { ...REQUEST, listeners: [] };
    const codes = (before: ReuseRequest | undefined, description: string) =>
        checkDroppedListeners(before, now, { ...FOUND, listeners: [keyed(description)] }).map(({ code }) => code);
    expect(codes(REQUEST, "theirs")).toStrictEqual(["listener-taken"]);
    expect(codes(REQUEST, "k8s/80/web/shop/c1")).toStrictEqual([]);
    expect(codes(undefined, "theirs")).toStrictEqual([]);
    expect(codes({ ...REQUEST, manageListeners: false }, "theirs")).toStrictEqual([]);
    expect(codes({ ...REQUEST, loadBalancerId: "lb-0" }, "theirs")).toStrictEqual([]);
});

const tenant = (service: string, more: Partial<Tenant> = {}): Tenant => ({
    service,
    instance: "lb-1",
    listeners: [{ protocol: "tcp", port: 80 }],
    manageListeners: true,
    joinedGroups: [],
    ...more,
});
const on = (port: number): Partial<Tenant> => ({ listeners: [{ protocol: "tcp", port }] });
const alone = (service: string, port: number): Tenant => tenant(service, { ...on(port), alone: true });
const tagged = (service: string, port: number, team: string): Tenant =>
    tenant(service, { ...on(port), tags: { team } });
const joins = (vgroupId: string) => ({ manageListeners: false, joinedGroups: [{ vgroupId, port: 80 }] });

const SHARING: readonly [string, Tenant, Tenant, number][] = [
    ["one port", tenant("a"), tenant("b"), 1],
    ["http and tcp on one port", tenant("a"), tenant("b", { listeners: [{ protocol: "http", port: 80 }] }), 1],
    ["tcp and udp on one port", tenant("a"), tenant("b", { listeners: [{ protocol: "udp", port: 80 }] }), 0],
    ["two instances", tenant("a"), tenant("b", { instance: "lb-2" }), 0],
    ["an instance that one alone can use", alone("a", 80), alone("b", 81), 1],
    ["two instances that one alone can use each", alone("a", 80), { ...alone("b", 80), instance: "lb-2" }, 0],
    ["an instance that one alone can use, and a listener of the program", alone("a", 80), tenant("b", on(81)), 0],
    ["neither manages listeners", tenant("a", { manageListeners: false }), tenant("b", { manageListeners: false }), 1],
    ["two values of a tag", tagged("a", 80, "1"), tagged("b", 81, "2"), 1],
    ["one value of a tag", tagged("a", 80, "1"), tagged("b", 81, "1"), 0],
    ["two values of a tag on two instances", tagged("a", 80, "1"), { ...tagged("b", 80, "2"), instance: "lb-2" }, 0],
    ["one user-managed group", tenant("a", joins("rsp-1")), tenant("b", joins("rsp-1")), 0],
    ["two user-managed groups", tenant("a", joins("rsp-1")), tenant("b", joins("rsp-2")), 0],
    [
        "one group, but one of them manages listeners",
        tenant("a", joins("rsp-1")),
        tenant("b", { ...joins("rsp-1"), manageListeners: true }),
        1,
    ],
];

for (const [what, one, other, expected] of SHARING) {
    test(`two Services: ${what}: ${expected === 0 ? "fine" : "refused by name"}`, () => {
        const found = collisions([one, other]);
        expect(found.length).toBe(expected);
        for (const collision of found) {
            expect(describeCollision(collision).cause).toMatch(
                /^Services a and b (both use (listener|load balancer lb-1, which before) |set different values of the tag team)/,
            );
        }
    });
}
