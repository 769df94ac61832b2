import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
    BACKENDS_TYPE,
    CLB_INSTANCE_TYPE,
    CLB_LISTENER_TYPE,
    CONTRACT_TYPE,
    NLB_INSTANCE_TYPE,
    NLB_LISTENER_TYPE,
    SERVICE_TYPE,
    SHARED_TYPE,
    VSERVER_GROUP_TYPE,
} from "../../provider/schema/resource-types";
import { buildReport, nameBackends, removedServices } from "./build";
import { byText } from "../../provider/schema/defined";
import { renderReport } from "./formats/render";
import { Unknown } from "../../policies/subjects";
import type { ResourceState, Step } from "./step";

const urnOf = (type: string, name: string): string => `urn:pulumi:dev::shop::${type}::${name}`;

const state = (inputs: object, more: Partial<ResourceState> = {}): ResourceState => ({
    inputs: { ...inputs },
    outputs: {},
    protect: false,
    retainOnDelete: false,
    dependencies: [],
    propertyDependencies: {},
    ...more,
});

const step = (op: string, type: string, name: string, states: Pick<Step, "before" | "after">): Step => ({
    op,
    urn: urnOf(type, name),
    type,
    name,
    reasons: [],
    ...states,
});

const SERVICE = { service: "shop/web", loadBalancerType: "clb", addressType: "internet" };
const inside = { parent: urnOf(SERVICE_TYPE, "shop/web") };

const component = (op: string, before?: object, after?: object): Step =>
    step(op, SERVICE_TYPE, "shop/web", {
        ...(before === undefined ? {} : { before: state(before) }),
        ...(after === undefined ? {} : { after: state(after) }),
    });

const backends = (weights: Readonly<Record<string, number>>, more: object = {}, group = "tcp-80"): ResourceState =>
    state(
        {
            groups: {
                [group]: {
                    serverGroupId: "rsp-1",
                    backends: Object.fromEntries(Object.entries(weights).map(([key, weight]) => [key, { weight }])),
                },
            },
            ...more,
        },
        inside,
    );

test("replacement steps of the engine are one change, with what was before and what comes", () => {
    const balancer = (address: string | undefined, type: string) =>
        state({ addressType: type }, { ...inside, id: "lb-1", outputs: address === undefined ? {} : { address } });
    const { subjects, losses } = buildReport({
        steps: [
            component("update", SERVICE, { ...SERVICE, addressType: "intranet" }),
            step("create-replacement", CLB_INSTANCE_TYPE, "shop/web", {
                before: balancer("1.2.3.4", "internet"),
                after: balancer(undefined, "intranet"),
            }),
            step("replace", CLB_INSTANCE_TYPE, "shop/web", {
                before: balancer("1.2.3.4", "internet"),
                after: balancer(undefined, "intranet"),
            }),
            step("delete-replaced", CLB_INSTANCE_TYPE, "shop/web", { before: balancer("1.2.3.4", "internet") }),
        ],
    });
    expect(subjects.map(({ verdict, loadBalancer }) => [verdict, loadBalancer?.change])).toStrictEqual([
        ["replaces-address", "replace"],
    ]);
    expect(subjects[0]?.loadBalancer).toMatchObject({
        before: { value: "1.2.3.4", public: true },
        after: { value: null, public: false },
    });
    expect(losses.map(({ address }) => address)).toStrictEqual(["1.2.3.4"]);
});

test("a load balancer made again has another address; one of an interrupted creation is new", () => {
    const made = state({ addressType: "internet" }, inside);
    for (const [live, verdict, effect] of [
        [{ addresses: ["1.2.3.4"] }, "replaces-address", /the Service gets a new address/],
        [undefined, "creates", /the Service becomes reachable/],
    ] as const) {
        const contract = state({ service: "shop/web", requested: {}, ...(live && { live }) }, inside);
        const { subjects, losses } = buildReport({
            steps: [
                component("same", SERVICE, SERVICE),
                step("same", CONTRACT_TYPE, "shop/web", { before: contract, after: contract }),
                // With --refresh, the preview found that it is gone.
                step("refresh", CLB_INSTANCE_TYPE, "shop/web", { before: made, after: made }),
                step("create", CLB_INSTANCE_TYPE, "shop/web", { after: made }),
                step("create", CLB_LISTENER_TYPE, "shop/web/tcp-80", { after: state({ protocol: "tcp" }, inside) }),
            ],
        });
        expect([subjects[0]?.verdict, losses]).toStrictEqual([verdict, []]);
        expect(subjects[0]?.notices[0]?.effect).toMatch(effect);
    }
});

test.each([
    [{ "i-1": 100 }, "the Service becomes reachable when the update is done"],
    [{}, "the Service is reachable only if others have backends in its server group: it has none"],
    [{ "i-1": 0 }, "the Service is reachable only if others have backends in its server group: it has none"],
])("a new Service that joins a user-managed group with backends %j: %s", (weights, effect) => {
    const listener = state({ protocol: "tcp", frontendPort: 80, serverGroupId: "rsp-1" }, inside);
    const { subjects } = buildReport({
        steps: [
            component("create", undefined, SERVICE),
            step("create", CLB_LISTENER_TYPE, "shop/web/tcp-80", { after: listener }),
            step("create", BACKENDS_TYPE, "shop/web/port-80", { after: backends(weights, {}, "port-80") }),
        ],
    });
    expect(subjects[0]?.notices.map((one) => one.effect)).toStrictEqual([effect]);
});

test("a Service on a shared load balancer has its address, and its deletion releases nothing", () => {
    const shared = { parent: urnOf(SHARED_TYPE, "front") };
    const instance = state({ addressType: "internet" }, { ...shared, id: "lb-9", outputs: { address: "1.2.3.4" } });
    const listener = state(
        { protocol: "tcp", frontendPort: 80, loadBalancerId: "lb-9" },
        { ...inside, propertyDependencies: { loadBalancerId: [urnOf(CLB_INSTANCE_TYPE, "front")] } },
    );
    const { subjects, losses } = buildReport({
        steps: [
            step("same", SHARED_TYPE, "front", { before: state({}), after: state({}) }),
            step("same", CLB_INSTANCE_TYPE, "front", { before: instance, after: instance }),
            component("delete", SERVICE),
            step("delete", CLB_LISTENER_TYPE, "shop/web/tcp-80", { before: listener }),
        ],
    });
    expect(losses).toStrictEqual([]);
    expect(subjects.map(({ subject, verdict }) => [subject, verdict])).toStrictEqual([
        ["Service shop/web", "deletes"],
        ["Shared load balancer front", "nothing"],
    ]);
    expect(subjects[0]?.loadBalancer).toMatchObject({
        origin: "shared",
        change: "keep",
        id: "lb-9",
        after: { value: "1.2.3.4", public: true },
    });
});

test("a Service whose type changes loses its load balancer, and gets no other", () => {
    const instance = state({ addressType: "internet" }, { ...inside, id: "lb-1", outputs: { address: "1.2.3.4" } });
    const { subjects, losses } = buildReport({
        steps: [
            component("update", SERVICE, { service: "shop/web" }),
            step("delete", CONTRACT_TYPE, "shop/web", { before: state({}, inside) }),
            step("delete", CLB_INSTANCE_TYPE, "shop/web", { before: instance }),
        ],
    });
    expect(subjects).toMatchObject([
        { verdict: "deletes", notices: [{ effect: "connections break, and the address no longer answers" }] },
    ]);
    expect(losses).toMatchObject([
        { cause: "its type changes, and its load balancer is deleted", remedy: "keep the type LoadBalancer" },
    ]);
});

test("a shared load balancer leaves with its Services, and a new one serves nobody yet", () => {
    const shared = { parent: urnOf(SHARED_TYPE, "front") };
    const instance = state({ addressType: "internet" }, { ...shared, id: "lb-9", outputs: { address: "1.2.3.4" } });
    const listener = state(
        { protocol: "tcp", frontendPort: 80, loadBalancerId: "lb-9" },
        { ...inside, propertyDependencies: { loadBalancerId: [urnOf(CLB_INSTANCE_TYPE, "front")] } },
    );
    const { subjects, losses } = buildReport({
        steps: [
            component("delete", SERVICE),
            step("delete", CLB_LISTENER_TYPE, "shop/web/tcp-80", { before: listener }),
            step("delete", SHARED_TYPE, "front", { before: state({}) }),
            step("delete", CLB_INSTANCE_TYPE, "front", { before: instance }),
        ],
    });
    const [web] = subjects;
    expect([web?.subject, web?.loadBalancer?.change]).toStrictEqual(["Service shop/web", "delete"]);
    expect(web?.notices.map(({ effect }) => effect)).toStrictEqual([
        "connections break, and the address no longer answers",
    ]);
    expect(losses.map(({ subject }) => subject)).toStrictEqual(["Shared load balancer front"]);
    const made = buildReport({
        steps: [
            step("create", SHARED_TYPE, "front", { after: state({}) }),
            step("create", CLB_INSTANCE_TYPE, "front", { after: { ...instance, outputs: {} } }),
        ],
    });
    expect(made.subjects.map(({ verdict, notices }) => [verdict, notices])).toStrictEqual([["creates", []]]);
});

test("Services of one name in two clusters leave with an address each", () => {
    const steps = ["1.2.3.4", "5.6.7.8"].flatMap((address, index) => {
        const name = `web-${index}`;
        const more = { parent: urnOf(SERVICE_TYPE, name), id: `lb-${index}`, outputs: { address } };
        return [
            step("delete", SERVICE_TYPE, name, { before: state(SERVICE, { protect: index === 1 }) }),
            step("delete", CLB_INSTANCE_TYPE, name, { before: state({ addressType: "internet" }, more) }),
        ];
    });
    expect(removedServices(steps).map(({ name, address, protect }) => [name, address, protect])).toStrictEqual([
        ["shop/web", "1.2.3.4", false],
        ["shop/web", "5.6.7.8", true],
    ]);
});

test("a load balancer that is handed back stays, and releases nothing", () => {
    const kept = state(
        { addressType: "internet" },
        { ...inside, id: "lb-1", retainOnDelete: true, outputs: { address: "1.2.3.4" } },
    );
    const { subjects, losses } = buildReport({
        steps: [component("delete", SERVICE), step("delete", CLB_INSTANCE_TYPE, "shop/web", { before: kept })],
    });
    expect([subjects[0]?.loadBalancer?.change, losses]).toStrictEqual(["keep", []]);
});

test("a preserved load balancer that another replaces stays, with its address", () => {
    const before = (retainOnDelete: boolean) =>
        state({ addressType: "internet" }, { ...inside, id: "lb-1", retainOnDelete, outputs: { address: "1.2.3.4" } });
    const replaced = (retainOnDelete: boolean) => {
        const after = state({ addressType: "internet", instanceChargeType: "PayByCLCU" }, inside);
        const states = { before: before(retainOnDelete), after };
        const { subjects, losses } = buildReport({
            steps: [component("same", SERVICE, SERVICE), step("replace", CLB_INSTANCE_TYPE, "shop/web", states)],
        });
        const [subject] = subjects;
        const billed = subject?.billing.map(({ what, change }) => `${what}: ${change}`);
        return [subject?.verdict, losses.length, subject?.notices[0]?.effect.split("; ").at(-1), billed];
    };
    expect(replaced(false)).toStrictEqual([
        "replaces-address",
        1,
        "the Service gets a new address",
        ["a CLB (PayBySpec:default): stops", "a CLB (PayByCLCU): starts"],
    ]);
    expect(replaced(true)).toStrictEqual([
        "replaces-address",
        0,
        "the former load balancer stays, and is no longer managed",
        ["a CLB (PayByCLCU): starts", "traffic to the Internet: starts"],
    ]);
});

test("what a Service no longer has stays with the preserved load balancer that another replaces", () => {
    const before = state({ addressType: "internet" }, { ...inside, id: "lb-1", retainOnDelete: true });
    const changeWith = (retainOnDelete: boolean) => {
        const group = state({}, { ...inside, id: "rsp-1", deletedWith: urnOf(CLB_INSTANCE_TYPE, "shop/web") });
        const { subjects } = buildReport({
            steps: [
                component("same", SERVICE, SERVICE),
                step("replace", CLB_INSTANCE_TYPE, "shop/web", {
                    before: { ...before, retainOnDelete },
                    after: state({ addressType: "intranet" }, inside),
                }),
                step("delete", VSERVER_GROUP_TYPE, "shop/web/tcp-80", { before: group }),
            ],
        });
        return subjects[0]?.groups.map(({ change }) => change);
    };
    expect([changeWith(true), changeWith(false)]).toStrictEqual([["keep"], ["delete"]]);
});

test("a user-managed listener is replaced at its takeover; an incomplete contract is no failure", () => {
    const request = { loadBalancerId: "lb-1", namespace: "shop", name: "web", clusterId: "c1" };
    const listeners = [{ protocol: "tcp", port: 80, description: "by hand" }];
    const changeOf = (reuse: object) =>
        buildReport({
            steps: [
                component("same", SERVICE, SERVICE),
                step("update", CONTRACT_TYPE, "shop/web", { after: state({ reuse }, inside) }),
                step("create", CLB_LISTENER_TYPE, "shop/web/tcp-80", {
                    after: state({ protocol: "tcp", frontendPort: 80 }, inside),
                }),
            ],
        }).subjects[0]?.listeners.map(({ change, before }) => [change, before]);
    const managed = { ...request, manageListeners: true, listeners: [{ protocol: "tcp", port: 80 }] };
    expect(changeOf({ request: managed, found: { listeners, serverGroups: [] } })).toStrictEqual([
        ["replace", { protocol: "tcp", port: "80" }],
    ]);
    for (const reuse of [
        { request, found: {} },
        { request: managed, found: {} },
        { request: managed, found: { listeners } },
    ])
        expect(changeOf(reuse)).toStrictEqual([["create", null]]);
});

test("groups of the sync controller are marked, and unknown values are not compared", () => {
    const { subjects } = buildReport({
        steps: [
            component("same", SERVICE, SERVICE),
            step("update", VSERVER_GROUP_TYPE, "shop/web/tcp-80", {
                before: state({ name: "a" }, { ...inside, id: "rsp-1" }),
                after: state({ name: new Unknown(new Error("not known")) }, inside),
            }),
            step("same", BACKENDS_TYPE, "shop/web", {
                before: backends({ "i-1": 1 }, { sync: true }),
                after: backends({ "i-1": 1 }, { sync: true }),
            }),
        ],
    });
    const [group] = subjects[0]?.groups ?? [];
    expect(group).toMatchObject({
        synced: true,
        change: "update",
        fields: [{ field: "name", before: "a", after: "(known during the update)" }],
    });
    expect(subjects[0]?.verdict).toBe("in-place");
});

test("a group that the sync controller kept until the update is marked: its backends are those of the last run", () => {
    const { subjects } = buildReport({
        steps: [
            component("same", SERVICE, SERVICE),
            step("update", BACKENDS_TYPE, "shop/web", {
                before: backends({ "i-1": 1 }, { sync: true }),
                after: backends({ "i-1": 2 }),
            }),
        ],
    });
    expect(subjects[0]?.groups).toMatchObject([{ synced: true, backends: [{ before: { weight: 1 } }] }]);
});

const GROUP = state({ name: "a" }, { ...inside, id: "rsp-1" });

test("the address of an internal instance is not released, although a run that failed asked for a public one", () => {
    const internal = state({ addressType: "intranet" }, { ...inside, outputs: { address: "192.168.0.11" } });
    const { losses, subjects } = buildReport({
        steps: [
            component("same", SERVICE, SERVICE),
            step("replace", CLB_INSTANCE_TYPE, "shop/web", { before: internal, after: state(SERVICE, inside) }),
        ],
    });
    expect(losses).toStrictEqual([]);
    expect(subjects[0]?.loadBalancer?.before).toStrictEqual({ value: "192.168.0.11", public: false });
});

test("an instance whose successor has the same address of its own does not lose the address", () => {
    const inputs = { addressType: "intranet", address: "192.168.0.11" };
    const before = state(inputs, { ...inside, outputs: { address: "192.168.0.11" } });
    const { subjects } = buildReport({
        steps: [
            component("same", SERVICE, SERVICE),
            step("replace", CLB_INSTANCE_TYPE, "shop/web", { before, after: state(inputs, inside) }),
        ],
    });
    expect(subjects[0]?.verdict).toBe("interrupts");
    expect(subjects[0]?.notices).toMatchObject([
        { effect: "connections break; another load balancer gets the address", duration: "until it has its listeners" },
    ]);
});

test("the addresses that an NLB releases are those of the last change of its zones", () => {
    const [type, zonesType] = [NLB_INSTANCE_TYPE, "pulumi-nodejs:dynamic/ack-loadbalancer:LoadBalancerZones"];
    const mapping = (zoneId: string, publicIpv4Address: string) => ({ zoneId, publicIpv4Address });
    const created = [mapping("zone-a", "203.0.113.1"), mapping("zone-b", "203.0.113.2")];
    const nlb = state({ addressType: "Internet" }, { ...inside, outputs: { dnsName: "nlb-1", zoneMappings: created } });
    const zones = { "zone-a": { vswitchId: "vsw-a" }, "zone-b": { vswitchId: "vsw-b" } };
    const released = (outputs: object): string[] => {
        const internal = state({ zones, addressType: "Intranet" }, inside);
        const before = state({ zones, addressType: "Internet" }, { ...inside, outputs: { ...outputs } });
        const { losses } = buildReport({
            steps: [
                component("same", SERVICE, SERVICE),
                step("same", type, "shop/web", { before: nlb, after: nlb }),
                step("update", zonesType, "shop/web", { before, after: internal }),
            ],
        });
        return losses.map(({ address }) => address);
    };
    expect(released({})).toStrictEqual(["203.0.113.1, 203.0.113.2"]);
    const publicAddresses = { "zone-a": "203.0.113.3", "zone-b": "203.0.113.2" };
    expect(released({ publicAddresses })).toStrictEqual(["203.0.113.3, 203.0.113.2"]);
});

test("an NLB whose zone gets the name of the address that it has releases none", () => {
    const zonesType = "pulumi-nodejs:dynamic/ack-loadbalancer:LoadBalancerZones";
    const nlb = state({ addressType: "Internet" }, { ...inside, outputs: { dnsName: "nlb-1" } });
    const zone = (addresses: object) =>
        state({ zones: { "zone-a": { vswitchId: "vsw-a", ...addresses } }, addressType: "Internet" }, inside);
    const before = { ...zone({}), outputs: { publicAddresses: { "zone-a": "203.0.113.3" } } };
    const released = (known: string): string[] => {
        const disruptive = { addressType: "internet", "zone zone-a": "vsw-a 10.0.0.4" };
        const disruptiveBefore = { ...disruptive, "zone zone-a": known };
        const contract = state({ disruptive, disruptiveBefore }, inside);
        const { losses } = buildReport({
            steps: [
                component("same", SERVICE, SERVICE),
                step("update", CONTRACT_TYPE, "shop/web", { before: contract, after: contract }),
                step("same", NLB_INSTANCE_TYPE, "shop/web", { before: nlb, after: nlb }),
                step("update", zonesType, "shop/web", { before, after: zone({ privateIpv4: "10.0.0.4" }) }),
            ],
        });
        return losses.map(({ address }) => address);
    };
    expect(released("vsw-a 10.0.0.4")).toStrictEqual([]);
    expect(released("vsw-a")).toStrictEqual(["203.0.113.3"]);
});

test.each([
    ["an NLB that is deleted releases its addresses, but for the user's", false, ["nlb-1, 203.0.113.2"]],
    ["an NLB that is preserved releases none", true, []],
])("%s", (_, retainOnDelete, released) => {
    const zonesType = "pulumi-nodejs:dynamic/ack-loadbalancer:LoadBalancerZones";
    const nlb = state({ addressType: "Internet" }, { ...inside, retainOnDelete, outputs: { dnsName: "nlb-1" } });
    const zones = { "zone-a": { vswitchId: "vsw-a", allocationId: "eip-1" }, "zone-b": { vswitchId: "vsw-b" } };
    const publicAddresses = { "zone-a": "203.0.113.3", "zone-b": "203.0.113.2" };
    const before = state({ zones, addressType: "Internet" }, { ...inside, outputs: { publicAddresses } });
    const { losses } = buildReport({
        steps: [
            component("delete", SERVICE),
            step("delete", NLB_INSTANCE_TYPE, "shop/web", { before: nlb }),
            step("delete", zonesType, "shop/web", { before }),
        ],
    });
    expect(losses.map(({ address }) => address)).toStrictEqual(released);
});

test("a range of ports that goes from a port of the Service to another is one listener that is replaced", () => {
    const ranged = (startPort: number, endPort: number) =>
        state({ listenerProtocol: "UDP", listenerPort: 0, startPort, endPort }, inside);
    const { subjects } = buildReport({
        steps: [
            component("same", SERVICE, SERVICE),
            step("delete", NLB_LISTENER_TYPE, "shop/web/udp-443", { before: ranged(20_000, 20_020) }),
            step("create", NLB_LISTENER_TYPE, "shop/web/udp-8080", { after: ranged(20_005, 20_015) }),
        ],
    });
    expect(subjects[0]?.listeners).toMatchObject([
        {
            key: "udp-8080",
            change: "replace",
            before: { protocol: "udp", port: "20000-20020" },
            after: { protocol: "udp", port: "20005-20015" },
        },
    ]);
});

test("a port that joins another user-managed group has that group, with the former as what was before", () => {
    const joining = (serverGroupId: string): ResourceState =>
        state({ groups: { "port-80": { serverGroupId, backends: { "i-1": { weight: 1 } } } } }, inside);
    const moved = { before: joining("rsp-1"), after: joining("rsp-2") };
    const { subjects } = buildReport({
        steps: [component("same", SERVICE, SERVICE), step("update", BACKENDS_TYPE, "shop/web", moved)],
    });
    expect(subjects[0]?.groups).toMatchObject([
        {
            key: "port-80",
            change: "update",
            id: "rsp-2",
            origin: "user-managed",
            fields: [{ field: "serverGroupId", before: "rsp-1", after: "rsp-2" }],
        },
    ]);
});

test("of a group that others may fill, a preview knows weights and no shares", () => {
    const members = { before: backends({ "i-1": 1 }), after: backends({ "i-1": 2 }) };
    const { subjects } = buildReport({
        steps: [component("same", SERVICE, SERVICE), step("update", BACKENDS_TYPE, "shop/web", members)],
    });
    expect(subjects[0]?.groups[0]?.backends).toStrictEqual([
        {
            key: "i-1",
            name: null,
            change: "update",
            before: { weight: 1, share: null },
            after: { weight: 2, share: null },
        },
    ]);
});

const DEPLOYMENT = "kubernetes:apps/v1:Deployment";
const workload = (labels: object) =>
    state({ metadata: { name: "app", namespace: "shop" }, spec: { template: { metadata: { labels } } } });
const KUBERNETES = state({ metadata: { namespace: "shop" }, spec: { selector: { app: "web" } } }, inside);

test.each([
    ["Cluster", "i-1", { app: "web" }, null],
    ["Local", "i-1", { app: "web" }, "Deployment shop/app"],
    ["Cluster", "10.0.0.1:80", { app: "web" }, "Deployment shop/app"],
    ["Local", "i-1", { app: "api" }, null],
])("backends wait for a Deployment that changes: %s, %s, %j", (externalTrafficPolicy, key, labels, pending) => {
    const service = { ...SERVICE, externalTrafficPolicy };
    const { subjects } = buildReport({
        steps: [
            step("update", DEPLOYMENT, "app", { before: workload(labels), after: workload(labels) }),
            component("same", service, service),
            step("same", "kubernetes:core/v1:Service", "shop/web", { before: KUBERNETES, after: KUBERNETES }),
            step("same", VSERVER_GROUP_TYPE, "shop/web/tcp-80", { before: GROUP, after: GROUP }),
            step("same", BACKENDS_TYPE, "shop/web", {
                before: backends({ [key]: 1 }),
                after: backends({ [key]: 1 }),
            }),
        ],
    });
    expect([subjects[0]?.groups[0]?.pending, subjects[0]?.verdict]).toStrictEqual([
        pending,
        pending === null ? "nothing" : "backends-only",
    ]);
});

test("a cluster names nodes and pods; a backend that it does not have keeps its id alone", async () => {
    const steps = [
        component("same", SERVICE, SERVICE),
        step("same", "kubernetes:core/v1:Service", "shop/web", { before: KUBERNETES, after: KUBERNETES }),
        step("update", BACKENDS_TYPE, "shop/web", {
            before: backends({ "i-1": 1, "10.0.0.7:8080": 1 }),
            after: backends({ "i-1": 1, "i-2": 1, "10.0.0.7:8080": 1 }),
        }),
    ];
    const asked: unknown[] = [];
    const cluster = {
        listNodes: async () => [{ metadata: { name: "node-1" }, spec: { providerID: "cn-hangzhou.i-1" } }],
        listPods: async (namespace: string, labels: object) => {
            asked.push([namespace, labels]);
            return [{ metadata: { name: "web-a" }, status: { podIPs: [{ ip: "10.0.0.7" }] } }];
        },
    };
    const named = await nameBackends(buildReport({ steps }), steps, cluster);
    expect(named.subjects[0]?.groups[0]?.backends.map(({ key, name }) => [key, name])).toStrictEqual([
        ["10.0.0.7:8080", "web-a"],
        ["i-1", "node-1"],
        ["i-2", null],
    ]);
    expect(asked).toStrictEqual([["shop", { app: "web" }]]);
    const text = renderReport(named, "text");
    expect(text).toMatch(/^ +web-a \(10\.0\.0\.7:8080\): weight 1$/m);
    expect(text).toMatch(/^ +\+ i-2: weight 1$/m);
    for (const format of ["markdown", "html"] as const) expect(renderReport(named, format)).toMatch(/node-1 [`(]+i-1/);
});

const WEIGHTS = fc.dictionary(fc.stringMatching(/^i-[a-z0-9]{1,4}$/), fc.integer({ min: 0, max: 100 }), {
    maxKeys: 12,
});

/** A Service whose weights change behind a listener with a scheduler. */
const reweighted = (scheduler: string, was: Record<string, number>, is: Record<string, number>) => {
    const listener = state({ protocol: "tcp", frontendPort: 80, scheduler }, inside);
    return buildReport({
        steps: [
            component("same", SERVICE, SERVICE),
            step("same", VSERVER_GROUP_TYPE, "shop/web/tcp-80", { before: GROUP, after: GROUP }),
            step("same", CLB_LISTENER_TYPE, "shop/web/tcp-80", { before: listener, after: listener }),
            step("update", BACKENDS_TYPE, "shop/web", { before: backends(was), after: backends(is) }),
        ],
    }).subjects[0];
};

test("shares add up to 100 or to 0, and an unchanged backend is never a change", () => {
    fc.assert(
        fc.property(WEIGHTS, WEIGHTS, fc.constantFrom("wrr", "wlc", "rr"), (was, is, scheduler) => {
            const subject = reweighted(scheduler, was, is);
            const found = subject?.groups[0]?.backends ?? [];
            const sum = found.reduce((total, { after }) => total + (after?.share ?? 0), 0);
            const weight = Object.values(is).reduce((total, one) => total + one, 0);
            expect(Math.abs(sum - (weight === 0 ? 0 : 100))).toBeLessThan(1);
            for (const { key, change, before, after } of found) {
                expect([before?.weight, after?.weight]).toStrictEqual([was[key], is[key]]);
                expect(change === "same").toBe(was[key] === is[key]);
            }
            const differs =
                JSON.stringify(Object.entries(was).sort(([a], [b]) => byText(a, b))) !==
                JSON.stringify(Object.entries(is).sort(([a], [b]) => byText(a, b)));
            expect(subject?.verdict).toBe(differs ? "backends-only" : "nothing");
        }),
    );
});

test.each([
    ["wrr", [50, 25, 25, 0], /new connections are shared by other weights/],
    ["wlc", [50, 25, 25, 0], /new connections are shared by other weights/],
    ["rr", [33.3, 33.3, 33.3, 0], /weights change, which scheduler rr does not regard/],
    ["sch", [null, null, null, null], /weights change, which scheduler sch does not regard/],
    ["tch", [null, null, null, null], /weights change, which scheduler tch does not regard/],
])("weights mean shares of new connections only to schedulers that regard them: %s", (scheduler, shares, effect) => {
    const subject = reweighted(scheduler, { a: 1, b: 1, c: 1, d: 0 }, { a: 2, b: 1, c: 1, d: 0 });
    expect(subject?.groups[0]?.backends.map(({ after }) => after?.share)).toStrictEqual(shares);
    expect(subject?.notices.map((one) => one.effect)).toStrictEqual([expect.stringMatching(effect)]);
});

test("a group whose listener is deleted and which stays has weights and no shares", () => {
    const members = backends({ a: 3, b: 1 });
    const listener = state({ protocol: "tcp", scheduler: "rr" }, inside);
    const { subjects } = buildReport({
        steps: [
            component("same", SERVICE, SERVICE),
            step("same", VSERVER_GROUP_TYPE, "shop/web/tcp-80", { before: GROUP, after: GROUP }),
            step("delete", CLB_LISTENER_TYPE, "shop/web/tcp-80", { before: listener }),
            step("same", BACKENDS_TYPE, "shop/web", { before: members, after: members }),
        ],
    });
    const found = subjects[0]?.groups[0]?.backends.map(({ before, after }) => [before?.share, after?.share]);
    expect(found).toStrictEqual([
        [50, null],
        [50, null],
    ]);
});

test("a backend of weight 0 gets no new connections under any scheduler", () => {
    const subject = reweighted("rr", { a: 1, b: 1 }, { a: 1, b: 0 });
    expect(subject?.groups[0]?.backends.map(({ after }) => after?.share)).toStrictEqual([100, 0]);
    expect(subject?.notices[0]?.effect).toMatch(/new connections are shared by other weights/);
});

test("backends that are known during the update are not said to be missing", () => {
    const replicas = (count: number) =>
        state({
            metadata: { name: "app", namespace: "shop" },
            spec: { replicas: count, template: { metadata: { labels: { app: "web" } } } },
        });
    const message = "Service shop/web: server group tcp-80 has no backend: the Service's selector finds no ready pod.";
    const unplaced = { position: null, subject: null, known: false } as const;
    const warning = { severity: "warning", rule: null, message, remedy: null, source: null, ...unplaced } as const;
    const findingsWith = (key: string) =>
        buildReport({
            steps: [
                component("same", SERVICE, { ...SERVICE, externalTrafficPolicy: "Local" }),
                step("same", "kubernetes:core/v1:Service", "shop/web", { before: KUBERNETES, after: KUBERNETES }),
                step("update", DEPLOYMENT, "app", { before: replicas(2), after: replicas(0) }),
                step("same", BACKENDS_TYPE, "shop/web", {
                    before: backends({}, {}, key),
                    after: backends({}, {}, key),
                }),
            ],
            findings: new Map([["Service shop/web", [warning]]]),
        }).subjects[0]?.findings;
    expect(findingsWith("tcp-80")).toStrictEqual([]);
    expect(findingsWith("tcp-81")).toStrictEqual([warning]);
});

test("a preview with a refresh reports from what the refresh has found", () => {
    const [recorded, edited] = [backends({ "i-1": 100, "i-2": 100 }), backends({ "i-2": 100 })];
    const name = "shop/web";
    const { subjects } = buildReport({
        steps: [
            step("refresh", SERVICE_TYPE, "shop/web", { before: state(SERVICE), after: state(SERVICE) }),
            step("refresh", BACKENDS_TYPE, name, { before: recorded, after: edited }),
            component("same", SERVICE, SERVICE),
            step("update", BACKENDS_TYPE, name, { before: edited, after: recorded }),
        ],
    });
    expect(subjects.map(({ verdict }) => verdict)).toStrictEqual(["backends-only"]);
    expect(subjects[0]?.groups[0]?.backends.map(({ key, change }) => [key, change])).toStrictEqual([
        ["i-1", "create"],
        ["i-2", "same"],
    ]);
});
