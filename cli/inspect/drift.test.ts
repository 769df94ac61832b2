/**
 * Every attribute of a desired object is compared, also a new attribute, because the tables are made from the objects.
 */
import { expect, test } from "@jest/globals";
import type { ClbListener } from "../../provider/clb/listener";
import { isMapping } from "../../provider/diagnostics";
import type { NlbListener } from "../../provider/nlb/listener";
import type { NlbServerGroup } from "../../provider/nlb/server-group";
import { buildClb, buildNlb } from "../../provider/plan/desired";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG, PROTECTION_REASON } from "../../provider/schema/names";
import type { Settings } from "../../provider/schema/settings";
import { liveService } from "../../test/support/inspect";
import { driftOf } from "./drift";
import type { InspectedService } from "./model";

const MARK = defaultLoadBalancerName("u-1");
const FACTS = { clusterId: "c1" };
const TAGS = { [OWNER_TAG]: MARK, [CLUSTER_TAG]: "c1" };

function found() {
    const { cloud } = liveService();
    if (cloud.kind !== "found") throw new Error("the Service of tests has a load balancer");
    return cloud;
}

const CLB: Settings = {
    aclStatus: "on",
    aclId: "acl-1",
    connectionDrain: "on",
    connectionDrainTimeout: 30,
    healthCheckType: "http",
    healthCheckDomain: "a.example.com",
    healthCheckMethod: "get",
    bandwidth: 7,
    chargeType: "paybybandwidth",
    masterZoneid: "a",
    slaveZoneid: "b",
    resourceGroupId: "rg-1",
    additionalResourceTags: { team: "shop" },
};

const CLB_WEB: Settings = {
    protocolPort: [{ protocol: "https", port: 80 }],
    certId: "cert-1",
    domainExtensions: [{ domain: "a.example.com", certId: "cert-2" }],
    healthCheckFlag: "on",
    stickySession: "on",
    stickySessionType: "insert",
    cookieTimeout: 60,
};

const NLB: Settings = {
    protocolPort: [{ protocol: "tcpssl", port: 80 }],
    certId: "cert-1",
    additionalCertIds: ["cert-2"],
    cacert: "on",
    cacertId: "ca-1",
    alpn: "on",
    alpnPolicy: "HTTP2Only",
    proxyProtocol: "on",
    cps: 5,
    connectionDrain: "on",
    connectionDrainTimeout: 30,
    healthCheckType: "http",
    backendIpVersion: "dualstack",
    ipVersion: "DualStack",
    securityGroupIds: ["sg-1"],
    bandwidthPackageId: "cbwp-1",
    resourceGroupId: "rg-1",
    zoneMaps: [
        { zoneId: "a", vswitchId: "vsw-a", privateIpv4: "10.0.0.9", allocationId: "eip-1" },
        { zoneId: "b", vswitchId: "vsw-b" },
    ],
};

/** A Service with these settings, whose load balancer is as it asks for. */
function inOrder(type: "clb" | "nlb", settings: Settings): InspectedService {
    const { service: given } = liveService();
    if (given === undefined) throw new Error("the Service of tests is valid");
    const service = { ...given, settings, loadBalancerType: type };
    return type === "clb" ? clbInOrder(service) : nlbInOrder(service);
}

function clbInOrder(service: NonNullable<InspectedService["service"]>): InspectedService {
    const model = buildClb(service, FACTS);
    const { additionalTags, vswitch, preserve, sourceRanges, ...instance } = model.loadBalancer;
    const [listener] = model.listeners as [ClbListener];
    const place = { protocol: listener.protocol, port: 80, description: "k8s/80/web/shop/c1", serverGroupId: "rsp-1" };
    const { key, serverGroup, ...attributes } = listener;
    const observed = { ...attributes, ...place, status: "running", bandwidth: -1 };
    return liveService({
        service,
        model,
        cloud: {
            ...found(),
            instance: {
                ...found().instance,
                ...instance,
                name: MARK,
                modificationProtectionReason: PROTECTION_REASON,
                tags: { ...additionalTags, ...TAGS },
                listeners: [place],
            },
            listeners: {
                [`${listener.protocol}:80`]: {
                    ...observed,
                    kind: "clb",
                    tls: listener.tls && {
                        ...listener.tls,
                        domains: listener.tls.domains.map((one) => ({ ...one, id: "de-1" })),
                    },
                    addsAddress: false,
                    addsId: false,
                    compresses: true,
                },
            },
        },
    });
}

function nlbInOrder(service: NonNullable<InspectedService["service"]>): InspectedService {
    const model = buildNlb(service, FACTS);
    const { additionalTags, preserve, sourceRanges, ...instance } = model.loadBalancer;
    const [listener] = model.listeners as [NlbListener];
    const { key, serverGroup, ...attributes } = listener;
    const [{ key: _, kind, ports, backendPort, range, ...group }] = model.serverGroups as [NlbServerGroup];
    const { protocol } = listener;
    const upper = protocol.toUpperCase();
    const place = {
        id: "lsn-1",
        protocol,
        port: 80,
        description: `k8s.80.${upper}.web.shop.c1`,
        serverGroupId: "sgp-1",
    };
    const name = `k8s.30080.${upper}.web.shop.c1`;
    const { backends } = found().instance.serverGroups[0]!;
    return liveService({
        type: "nlb",
        service,
        model,
        cloud: {
            ...found(),
            instance: {
                ...instance,
                kind: "nlb",
                id: "nlb-1",
                name: MARK,
                tags: TAGS,
                modificationProtectionReason: PROTECTION_REASON,
                listeners: [place],
                serverGroups: [{ id: "sgp-1", name, ...(backends && { backends }) }],
            },
            listeners: { [`${protocol}:80`]: { ...attributes, ...place, kind: "nlb", status: "Running", tags: {} } },
            groups: {
                "sgp-1": {
                    ...group,
                    id: "sgp-1",
                    name,
                    tags: TAGS,
                    loadBalancerIds: ["nlb-1"],
                    ...(group.ipVersion === "dualstack" ? { affinity: "Affinity" } : {}),
                },
            },
        },
    });
}

type Path = readonly string[];

/** Places of all values in an object. */
const leaves = (value: unknown, path: Path = []): Path[] =>
    isMapping(value) ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key])) : [path];

const other = (value: unknown): unknown =>
    typeof value === "number"
        ? value + 1
        : typeof value === "boolean"
          ? !value
          : Array.isArray(value)
            ? []
            : `${String(value)}x`;

/** A copy with another value at a place. */
function edited<Value>(value: Value, [key = "", ...path]: Path): Value {
    const inner = (value as Readonly<Record<string, unknown>>)[key];
    return { ...value, [key]: path.length === 0 ? other(inner) : edited(inner, path) };
}

/**
 * Attributes that say where an object is and not how it is, and attributes that no Service may ask for, which therefore
 * cannot differ.
 */
const PLACE =
    /^(id|key|port|protocol|status|kind|ports|backendPort|serverGroup|serverGroupId|tags|loadBalancerIds|ipVersion|listeners|serverGroups|vpcId|address)$/;

const OBJECTS = [
    ["a CLB", "clb", CLB, ["cloud", "instance"]],
    ["a TCP listener of a CLB", "clb", CLB, ["cloud", "listeners", "tcp:80"]],
    ["an HTTPS listener of a CLB", "clb", CLB_WEB, ["cloud", "listeners", "https:80"]],
    ["a CLB without settings", "clb", {}, ["cloud", "listeners", "tcp:80"]],
    ["an NLB", "nlb", NLB, ["cloud", "instance"]],
    ["a TLS listener of an NLB", "nlb", NLB, ["cloud", "listeners", "tcpssl:80"]],
    ["a server group of an NLB", "nlb", NLB, ["cloud", "groups", "sgp-1"]],
] as const;

for (const [what, type, settings, at] of OBJECTS) {
    const live = inOrder(type, settings);
    const object = at.reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>>)[key], live);
    test(`${what} that is as the Service asks for does not differ`, () => {
        expect(driftOf(live)).toStrictEqual([]);
    });
    test.each(
        leaves(object)
            .filter(([key = ""]) => !PLACE.test(key) && !(key === "name" && at[1] === "groups"))
            .map((path) => [path.join("."), path] as const),
    )(`${what}: an edit of %s is found`, (_, path) => {
        const found = driftOf(edited(live, [...at, ...path]));
        expect(found).not.toStrictEqual([]);
    });
}

test.each([
    ["clb", CLB, "tcp:80"],
    ["clb", CLB_WEB, "https:80"],
    ["nlb", NLB, "tcpssl:80"],
] as const)("what a %s listener has besides what its Service asks for is found", (type, settings, key) => {
    const [bare, full] = [{ protocolPort: settings.protocolPort, certId: settings.certId }, settings].map((some) =>
        inOrder(type, JSON.parse(JSON.stringify(some)) as Settings),
    );
    if (bare?.cloud.kind !== "found" || full?.cloud.kind !== "found") throw new Error("both are there");
    const [had, has] = [bare.cloud.listeners[key], full.cloud.listeners[key]] as unknown as Record<string, unknown>[];
    for (const name of Object.keys(has ?? {})
        .filter(
            // Attributes of checks by HTTP mean nothing with another check, and further domains are the user's.
            (one) => type === "nlb" || !["attributes", "tls"].includes(one),
        )
        .filter((one) => JSON.stringify(had?.[one]) !== JSON.stringify(has?.[one]))) {
        const listeners = { [key]: { ...had, [name]: has?.[name] } as never };
        const found = driftOf({ ...bare, cloud: { ...bare.cloud, listeners } });
        expect([name, found.length > 0]).toStrictEqual([name, true]);
    }
});

test("without the access control list of the Service other edits of its listener are found", () => {
    const { service } = liveService();
    if (service === undefined) throw new Error("the Service of tests is valid");
    const live = clbInOrder({ ...service, loadBalancerSourceRanges: ["10.0.0.0/8"] });
    const open = edited(live, ["cloud", "listeners", "tcp:80", "access", "status"]);
    expect(driftOf(open)).toStrictEqual([]);
    const found = driftOf(edited(open, ["cloud", "listeners", "tcp:80", "scheduler"]));
    expect(found.map(({ attribute }) => attribute)).toStrictEqual(["scheduler"]);
});
