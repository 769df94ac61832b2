import { expect, test } from "@jest/globals";
import * as pulumi from "@pulumi/pulumi";
import type { ClbListener, ObservedClbListener } from "../../provider/clb/listener";
import type { ObservedClb } from "../../provider/plan/adoption";
import { buildClb } from "../../provider/plan/desired";
import { defined } from "../../provider/schema/defined";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG, ownershipKey } from "../../provider/schema/names";
import type { Settings } from "../../provider/schema/settings";
import type { Service } from "../../provider/service/service";
import { compareClb } from "./load-balancers";

const UID = "5e4dbfc9-c2ae-4642-b033-5607860aef6a";
const MARK = defaultLoadBalancerName(UID);
const OWNER = { namespace: "shop", name: "web", clusterId: "c1" };
const FACTS = { clusterId: "c1", vpcId: "vpc-1" };
const GROUP = ownershipKey(30080, OWNER);

const serviceOf = (settings: Settings): Service => ({
    namespace: "shop",
    name: "web",
    selector: { app: "web" },
    ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080, nodePort: 30080 }],
    externalTrafficPolicy: "Cluster",
    loadBalancerType: "clb",
    loadBalancerSourceRanges: [],
    object: {},
    settings,
});

const HTTPS: Settings = {
    protocolPort: [{ protocol: "https", port: 80 }],
    certId: "cert-1",
    domainExtensions: [{ domain: "a.example", certId: "cert-2" }],
};

/** The load balancer that CCM makes for a Service with these settings. */
function madeBy(settings: Settings): ObservedClb {
    const { loadBalancer, listeners } = buildClb(serviceOf(settings), FACTS);
    const [{ key, serverGroup, tls, ...listener }] = listeners as [ClbListener];
    const { vswitch, additionalTags, preserve, sourceRanges, ...instance } = loadBalancer;
    return {
        ...instance,
        kind: "clb",
        id: "lb-1",
        name: MARK,
        internetChargeType: "paybytraffic",
        modificationProtectionReason: "managed.by.ack",
        tags: { [OWNER_TAG]: MARK, [CLUSTER_TAG]: "c1", ...additionalTags },
        serverGroups: [
            { id: "rsp-1", name: GROUP, backends: [{ address: "i-1", port: 30080, weight: 100, mark: GROUP }] },
        ],
        listeners: [
            {
                ...listener,
                kind: "clb",
                description: ownershipKey(80, OWNER),
                serverGroupId: "rsp-1",
                status: "running",
                bandwidth: -1,
                addsAddress: false,
                addsId: false,
                compresses: true,
                ...(tls && {
                    tls: { ...tls, domains: tls.domains.map((one) => ({ ...one, id: `de-${one.domain}` })) },
                }),
            },
        ],
    };
}

interface Given {
    readonly settings?: Settings;
    readonly observed?: Partial<ObservedClb>;
    readonly listener?: Partial<ObservedClbListener>;
    readonly references?: Parameters<typeof compareClb>[0]["references"];
    /** Settings of the Service when CCM made the load balancer. Default: those of now. */
    readonly former?: Settings;
}

function compare({ settings = {}, observed = {}, listener = {}, references = {}, former = settings }: Given) {
    const service = serviceOf(settings);
    const desired = buildClb(service, FACTS);
    const made = madeBy(former);
    const groups = desired.serverGroups.map((model) => ({
        model,
        name: GROUP,
        nodePort: 30080,
        backends: { "i-1": { weight: 100 } },
    }));
    return compareClb(
        { service, facts: FACTS, desired, references, uid: UID, groups, allowEmpty: false },
        { ...made, ...observed, listeners: made.listeners.map((one) => defined({ ...one, ...listener })) },
    );
}

const found = (given: Given) =>
    compare(given).differences.map(({ verdict, object, attribute }) => `${verdict} ${object} ${attribute}`);

test("a CLB as CCM leaves it: everything is taken over, and nothing differs", () => {
    const { adoption, differences } = compare({ settings: HTTPS });
    expect(differences).toStrictEqual([]);
    expect(adoption).toStrictEqual({
        loadBalancerId: "lb-1",
        instanceChargeType: "PayByCLCU",
        serverGroups: { "tcp-80": "rsp-1" },
        listeners: { "tcp-80": "lb-1:https:80" },
        domainExtensions: { "tcp-80/a.example": "de-a.example" },
        keep: { instance: [], "tcp-80": [] },
    });
});

const DIFFERENCES: readonly (readonly [string, Given, readonly string[]])[] = [
    [
        "another charge, which no setting names",
        { observed: { instanceChargeType: "PayBySpec", spec: "slb.s1.small" } },
        [],
    ],
    [
        "an address type that the next run would replace",
        { former: { addressType: "intranet" } },
        ["refused load balancer addressType"],
    ],
    [
        "another zone",
        { settings: { masterZoneid: "a" }, former: { masterZoneid: "b" } },
        ["refused load balancer masterZoneId"],
    ],
    [
        "a tag of the console",
        { observed: { tags: { [OWNER_TAG]: MARK, [CLUSTER_TAG]: "c1", a: "b" } } },
        ["differs load balancer tag a"],
    ],
    ["another scheduler", { listener: { scheduler: "wlc" } }, ["differs listener tcp:80 scheduler"]],
    ["compression that was switched off", { listener: { compresses: false } }, ["differs listener tcp:80 compresses"]],
    ["a stopped listener", { listener: { status: "stopped" } }, ["note listener tcp:80 status"]],
    [
        "a check without an effect while it is off",
        { settings: { healthCheckSwitch: "off", healthCheckConnectTimeout: 9 }, former: { healthCheckSwitch: "off" } },
        [],
    ],
    [
        "a domain with another certificate, one more and one less",
        {
            settings: {
                ...HTTPS,
                domainExtensions: [
                    { domain: "a.example", certId: "cert-9" },
                    { domain: "b.example", certId: "cert-2" },
                ],
            },
            former: {
                ...HTTPS,
                domainExtensions: [
                    { domain: "a.example", certId: "cert-2" },
                    { domain: "c.example", certId: "cert-2" },
                ],
            },
        },
        [
            "refused listener https:80 certificate of a.example",
            "note listener https:80 certificate of b.example",
            "note listener https:80 domain c.example",
        ],
    ],
    [
        "another certificate",
        { settings: HTTPS, former: { ...HTTPS, certId: "cert-3" } },
        ["differs listener https:80 certificate (cert-id)"],
    ],
    [
        "another certificate, which a resource of the program makes",
        { settings: HTTPS, former: { ...HTTPS, certId: "cert-3" }, references: { certId: pulumi.output("cert-4") } },
        [],
    ],
    [
        "another certificate, which the program names",
        { settings: HTTPS, references: { certId: "cert-4" } },
        ["differs listener https:80 certificate (cert-id)"],
    ],
];

test.each(DIFFERENCES)("a CLB with %s", (_, given, expected) => {
    expect(found(given)).toStrictEqual(expected);
});

test("an import keeps the inputs of the plugin that differ, also those without an effect", () => {
    const { adoption } = compare({
        settings: { healthCheckSwitch: "off", healthCheckConnectTimeout: 9 },
        former: { healthCheckSwitch: "off" },
        observed: { name: "renamed" },
        listener: { scheduler: "wlc", compresses: false },
    });
    expect(adoption.keep).toStrictEqual({
        instance: ["loadBalancerName"],
        "tcp-80": ["scheduler", "healthCheckTimeout", "gzip"],
    });
});
