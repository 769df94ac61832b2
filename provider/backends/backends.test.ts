/**
 * Requirements: A56, A57, A58, A62, C36, D02, D03, D04, D06, D07, D08, D09, D10, D13, D20, D27, D31, D33, G20, H08,
 * H09, I40, I43, I44, I45, I48, I58, X02, X12, X13, X19, X22, X24, X33, X35.
 */
import { expect, test } from "@jest/globals";
import type { EndpointSliceObject, NodeObject, PodObject } from "../service/objects";
import { buildClb, buildNlb } from "../plan/desired";
import { documentOf } from "../service/manifests";
import type { ClusterFacts } from "../schema/facts";
import { parseService, type Service } from "../service/service";
import { groupBackends, predictSlices } from "./index";
import { found } from "../../test/support/found";

const FACTS: ClusterFacts = { clusterId: "c1" };
const TERWAY_CLUSTER: ClusterFacts = { ...FACTS, networkPlugin: "terway" };
const PREFIX = "service.beta.kubernetes.io/";

function service(
    options: {
        policy?: string;
        annotations?: Record<string, string>;
        targetPort?: number | string;
        facts?: ClusterFacts;
        type?: "clb" | "nlb";
    } = {},
): Service {
    const parsed = parseService(
        documentOf({
            apiVersion: "v1",
            kind: "Service",
            metadata: {
                name: "web",
                namespace: "shop",
                annotations: Object.fromEntries(
                    Object.entries(options.annotations ?? {}).map(([key, value]) => [PREFIX + key, value]),
                ),
            },
            spec: {
                type: "LoadBalancer",
                externalTrafficPolicy: options.policy ?? "Cluster",
                selector: { app: "web" },
                ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: options.targetPort ?? 8080 }],
            },
        }),
        options.facts ?? FACTS,
        {},
        options.type,
    );
    return found(parsed.service, JSON.stringify(parsed.diagnostics));
}

function node(
    name: string,
    more: {
        labels?: Record<string, string>;
        ready?: string;
        providerID?: string;
        unschedulable?: boolean;
        taints?: { key: string }[];
        conditions?: [];
    } = {},
): NodeObject {
    return {
        metadata: { name, labels: more.labels ?? {} },
        spec: {
            providerID: more.providerID ?? `cn-hangzhou.i-${name}`,
            unschedulable: more.unschedulable ?? false,
            taints: more.taints ?? [],
        },
        status: { conditions: more.conditions ?? [{ type: "Ready", status: more.ready ?? "True" }] },
    } as unknown as NodeObject;
}

type Pod = { ip: string; node?: string; ready?: boolean; serving?: boolean; terminating?: boolean };
function slice(pods: Pod[], port = 8080): EndpointSliceObject {
    return {
        metadata: { name: "web-1", namespace: "shop" },
        addressType: "IPv4",
        ports: [{ name: "http", port, protocol: "TCP" }],
        endpoints: pods.map((pod) => ({
            addresses: [pod.ip],
            conditions: {
                ...(pod.ready === undefined ? {} : { ready: pod.ready }),
                ...(pod.serving === undefined ? {} : { serving: pod.serving }),
                terminating: pod.terminating ?? false,
            },
            ...(pod.node === undefined ? {} : { nodeName: pod.node }),
        })),
    } as unknown as EndpointSliceObject;
}

function backendsOf(subject: Service, nodes: NodeObject[], slices: EndpointSliceObject[], facts = FACTS) {
    const group = found(buildClb(subject, facts).serverGroups[0], "the group");
    const made = groupBackends(subject, group, facts, { nodes, endpointSlices: slices });
    return {
        weights: Object.fromEntries(Object.entries(made.backends).map(([key, { weight }]) => [key, weight])),
        notes: made.notes.map((note) => note.cause),
        draining: [...made.draining],
    };
}

test("Cluster: every node, evenly, wherever the pods run", () => {
    expect(backendsOf(service(), [node("b"), node("a")], []).weights).toStrictEqual({ "i-a": 100, "i-b": 100 });
});

test("Local: only nodes with a ready pod, weighted by their number of pods", () => {
    const pods = [
        { ip: "10.0.0.1", node: "a" },
        { ip: "10.0.0.2", node: "b" },
        { ip: "10.0.0.3", node: "b" },
    ];
    expect(
        backendsOf(service({ policy: "Local" }), [node("a"), node("b"), node("c")], [slice(pods)]).weights,
    ).toStrictEqual({ "i-a": 1, "i-b": 2 });
});

test("an unset ready is ready; unready or terminating endpoints get no traffic; no duplicates", () => {
    const pods = [
        { ip: "10.0.0.1", node: "a" },
        { ip: "10.0.0.2", node: "a", ready: false },
        { ip: "10.0.0.3", node: "b", ready: true },
        { ip: "10.0.0.4", node: "b", ready: true, terminating: true },
    ];
    expect(
        backendsOf(
            service({ policy: "Local" }),
            [node("a"), node("b")],
            [slice(pods), slice([{ ip: "10.0.0.1", node: "a" }])],
        ).weights,
    ).toStrictEqual({ "i-a": 1, "i-b": 1 });
});

const ROLLOUT = slice([
    { ip: "10.0.0.1", node: "a" },
    { ip: "10.0.0.2", node: "b", ready: false, serving: true, terminating: true },
    { ip: "10.0.0.3", node: "b", ready: false, serving: false, terminating: true },
    { ip: "10.0.0.4", node: "b", ready: false, terminating: true },
]);
const GRACEFUL = { "backend-type": "eni", "alibaba-cloud-loadbalancer-graceful-shutdown": "true" };

const SHUTDOWNS: readonly [string, Record<string, string>, Record<string, number>][] = [
    ["keeps its place with weight 0 while it serves, and goes after that", GRACEFUL, { "1:8080": 100, "2:8080": 0 }],
    ["goes at once without the annotation", { "backend-type": "eni" }, { "1:8080": 100 }],
    [
        "goes at once where weights are left alone",
        { ...GRACEFUL, "alibaba-cloud-loadbalancer-ignore-weight-update": "on" },
        { "1:8080": 100 },
    ],
    [
        "has no share of the weight in a group of several Services",
        {
            ...GRACEFUL,
            "alibaba-cloud-loadbalancer-id": "lb-1",
            "alibaba-cloud-loadbalancer-vgroup-port": "rsp-1:80",
            "alibaba-cloud-loadbalancer-weight": "60",
        },
        { "1:8080": 60, "2:8080": 0 },
    ],
];
for (const [what, annotations, weights] of SHUTDOWNS) {
    test(`graceful-shutdown: a pod that terminates ${what}`, () => {
        const result = backendsOf(service({ annotations, facts: TERWAY_CLUSTER }), [], [ROLLOUT], TERWAY_CLUSTER);
        const expected = Object.entries(weights).map(([key, weight]) => [`10.0.0.${key}`, weight]);
        expect(result.weights).toStrictEqual(Object.fromEntries(expected));
        expect(result.draining).toStrictEqual(weights["2:8080"] === undefined ? [] : ["10.0.0.2:8080"]);
    });
}

for (const policy of ["Cluster", "Local"]) {
    test(`graceful-shutdown has no effect on nodes as backends: ${policy}`, () => {
        const annotations = { ...GRACEFUL, "backend-type": "ecs" };
        const nodes = [node("a"), node("b")];
        const without = backendsOf(service({ policy }), nodes, [ROLLOUT]);
        expect(backendsOf(service({ policy, annotations }), nodes, [ROLLOUT])).toStrictEqual(without);
    });
}

test("graceful-shutdown: all remaining pods terminate, and each keeps its place with weight 0", () => {
    const last = slice([{ ip: "10.0.0.2", ready: false, serving: true, terminating: true }]);
    const { weights, notes } = backendsOf(service({ annotations: GRACEFUL }), [], [last]);
    expect([weights, notes]).toStrictEqual([{ "10.0.0.2:8080": 0 }, []]);
});

test("graceful-shutdown: an address that a new pod has taken over is ready", () => {
    const taken = slice([
        { ip: "10.0.0.1", ready: false, serving: true, terminating: true },
        { ip: "10.0.0.1", ready: true },
    ]);
    const { weights, draining } = backendsOf(service({ annotations: GRACEFUL }), [], [taken]);
    expect([weights, draining]).toStrictEqual([{ "10.0.0.1:8080": 100 }, []]);
});

test("default-weight is the weight of every backend, but nodes may be weighted by their pods", () => {
    const annotations = { "alibaba-cloud-loadbalancer-default-weight": "40", "backend-type": "ecs" };
    expect(backendsOf(service({ annotations }), [node("a")], []).weights).toStrictEqual({ "i-a": 40 });
    const pods = slice([{ ip: "10.0.0.1", node: "a" }]);
    expect(backendsOf(service({ annotations, policy: "Local" }), [node("a")], [pods]).weights).toStrictEqual({
        "i-a": 1,
    });
});

test("Local: pods on virtual nodes weigh 1, with a warning if a node has more than 100 pods", () => {
    const virtual = node("v", { labels: { type: "virtual-kubelet" } });
    const pods = (count: number) => [
        ...Array.from({ length: count }, (_, n) => ({ ip: `10.0.${n >> 8}.${n & 255}`, node: "a" })),
        ...[1, 2, 3, 4].map((n) => ({ ip: `10.9.0.${n}`, node: "v" })),
    ];
    const made = (count: number) =>
        backendsOf(service({ policy: "Local" }), [node("a"), virtual], [slice(pods(count))]);
    expect([made(100).weights["i-a"], made(100).weights["10.9.0.1:8080"], made(100).notes]).toStrictEqual([100, 1, []]);
    const scaled = made(200);
    expect([scaled.weights["i-a"], scaled.weights["10.9.0.1:8080"]]).toStrictEqual([100, 1]);
    expect(scaled.notes).toStrictEqual([
        "weights are limited to 100: the share of traffic of a backend is off by up to 1.9 %",
    ]);
});

test("backend-ip-version: IPv6 addresses of pods in place of IPv4 ones", () => {
    const annotations = {
        "alibaba-cloud-loadbalancer-ip-version": "ipv6",
        "alibaba-cloud-loadbalancer-backend-ip-version": "ipv6",
        "backend-type": "eni",
    };
    const both = [slice([{ ip: "10.0.0.1" }]), { ...slice([{ ip: "2001:db8::1" }]), addressType: "IPv6" as const }];
    expect(backendsOf(service({ annotations }), [], both).weights).toStrictEqual({ "[2001:db8::1]:8080": 100 });
});

test("eni: every ready pod on its own address and targetPort, with the even weight", () => {
    const pods = [{ ip: "10.0.0.2", node: "a" }, { ip: "10.0.0.1" }];
    expect(backendsOf(service({ annotations: { "backend-type": "eni" } }), [], [slice(pods)]).weights).toStrictEqual({
        "10.0.0.1:8080": 100,
        "10.0.0.2:8080": 100,
    });
});

test("Local: a weight is shared out by the pods, of which a node may run more than 100", () => {
    const pods = (name: string, count: number, block: number): Pod[] =>
        Array.from({ length: count }, (_, index) => ({
            ip: `10.${block}.${Math.floor(index / 200)}.${index % 200}`,
            node: name,
        }));
    const annotations = {
        "alibaba-cloud-loadbalancer-id": "lb-1",
        "alibaba-cloud-loadbalancer-vgroup-port": "rsp-1:80",
        "alibaba-cloud-loadbalancer-weight": "100",
    };
    const nodes = ["a", "b", "c", "d"].map((name) => node(name));
    const slices = [slice([...pods("a", 1000, 1), ...pods("b", 14, 2), ...pods("c", 14, 3), ...pods("d", 772, 4)])];
    const { weights, notes } = backendsOf(service({ policy: "Local", annotations }), nodes, slices);
    // 100 * 1000 / 1800, 100 * 14 / 1800, …, rounded down, at least 1.
    expect(weights).toStrictEqual({ "i-a": 55, "i-b": 1, "i-c": 1, "i-d": 42 });
    expect(notes).toStrictEqual([]);
});

test("Local: a pod counts once in a group that a TCP and a UDP port join", () => {
    const annotations = {
        "alibaba-cloud-loadbalancer-id": "lb-1",
        "alibaba-cloud-loadbalancer-vgroup-port": "rsp-1:80",
    };
    const one = service({ policy: "Local", annotations });
    const ports = (["TCP", "UDP"] as const).map((protocol) => ({ port: 80, protocol, targetPort: 8080 }));
    const slices = [
        slice([
            { ip: "10.0.0.1", node: "a" },
            { ip: "10.0.0.2", node: "b" },
            { ip: "10.0.0.3", node: "b" },
        ]),
    ];
    const { weights } = backendsOf({ ...one, ports }, [node("a"), node("b")], slices);
    expect(weights).toStrictEqual({ "i-a": 1, "i-b": 2 });
});

test("eni: a pod outside the VPC is named once, even if its group serves several ports", () => {
    const facts: ClusterFacts = { clusterId: "c1", networkPlugin: "terway", vpcCidrs: ["10.0.0.0/8"] };
    const one = service({ facts });
    const ports = [80, 81].map((port) => ({ name: `p-${port}`, port, protocol: "TCP" as const, targetPort: 8080 }));
    const { weights, notes } = backendsOf({ ...one, ports }, [], [slice([{ ip: "172.16.0.9" }])], facts);
    expect([weights, notes.filter((cause) => /172\.16\.0\.9/.test(cause)).length]).toStrictEqual([{}, 1]);
});

test("eni: pods outside the VPC are skipped with a warning, unless the VPC's ranges are unknown", () => {
    const pods = [slice([{ ip: "10.0.0.1" }, { ip: "172.16.0.9" }])];
    const subject = service({ annotations: { "backend-type": "eni" } });
    const made = backendsOf(subject, [], pods, { ...FACTS, vpcCidrs: ["10.0.0.0/8", "192.168.0.0/16"] });
    expect(made.weights).toStrictEqual({ "10.0.0.1:8080": 100 });
    expect(made.notes.join()).toMatch(/pod 172\.16\.0\.9 gets no traffic: its address is outside the VPC/);
    expect(Object.keys(backendsOf(subject, [], pods).weights)).toStrictEqual(["10.0.0.1:8080", "172.16.0.9:8080"]);
});

test("a cloud node of an ACK Edge cluster is a backend as any other", () => {
    expect(
        backendsOf(service(), [node("a", { labels: { "alibabacloud.com/is-edge-worker": "false" } })], []).weights,
    ).toStrictEqual({ "i-a": 100 });
});

test("eni: pods on edge nodes are skipped, whether the VPC's ranges are known or not", () => {
    const nodes = [node("a"), node("edge", { labels: { "alibabacloud.com/is-edge-worker": "true" }, providerID: "" })];
    const pods = [
        slice([
            { ip: "10.0.0.1", node: "a" },
            { ip: "10.0.0.9", node: "edge" },
        ]),
    ];
    for (const facts of [FACTS, { ...FACTS, vpcCidrs: ["10.0.0.0/8"] }]) {
        const made = backendsOf(service({ annotations: { "backend-type": "eni" } }), nodes, pods, facts);
        expect(made.weights).toStrictEqual({ "10.0.0.1:8080": 100 });
        expect(made.notes.join()).toMatch(/pod 10\.0\.0\.9 gets no traffic: its node edge is at the edge/);
    }
});

test("eni with a named targetPort: each slice says its own number", () => {
    const named = service({ annotations: { "backend-type": "eni" }, targetPort: "web" });
    expect(
        backendsOf(named, [], [slice([{ ip: "10.0.0.1" }], 8080), slice([{ ip: "10.0.0.2" }], 9090)]).weights,
    ).toStrictEqual({ "10.0.0.1:8080": 100, "10.0.0.2:9090": 100 });
});

test("Terway clusters attach pods without being asked, unless they are older than that default", () => {
    const terway: ClusterFacts = { clusterId: "c1", networkPlugin: "terway" };
    expect(
        backendsOf(service({ facts: terway }), [node("a")], [slice([{ ip: "10.0.0.1" }])], terway).weights,
    ).toStrictEqual({ "10.0.0.1:8080": 100 });
    const old: ClusterFacts = { ...terway, createdAt: "2020-08-09T00:00:00Z" };
    expect(backendsOf(service({ facts: old }), [node("a")], [slice([{ ip: "10.0.0.1" }])], old).weights).toStrictEqual({
        "i-a": 100,
    });
});

test("Flannel clusters attach nodes: all of them with Cluster, those with a ready pod with Local", () => {
    const flannel: ClusterFacts = { clusterId: "c1", networkPlugin: "flannel" };
    const weights = (policy: string) =>
        backendsOf(
            service({ policy, facts: flannel }),
            [node("a"), node("b")],
            [slice([{ ip: "10.0.0.1", node: "b" }])],
            flannel,
        ).weights;
    expect(weights("Cluster")).toStrictEqual({ "i-a": 100, "i-b": 100 });
    expect(weights("Local")).toStrictEqual({ "i-b": 1 });
});

const EXCLUDED: readonly [string, Parameters<typeof node>[1], Record<string, string>][] = [
    ["control-plane node (master label)", { labels: { "node-role.kubernetes.io/master": "" } }, {}],
    ["control-plane node (control-plane label)", { labels: { "node-role.kubernetes.io/control-plane": "" } }, {}],
    ["node that is not ready", { ready: "False" }, {}],
    ["node of unknown readiness", { ready: "Unknown" }, {}],
    ["node without any condition", { conditions: [] }, {}],
    ["node about to be removed by the autoscaler", { taints: [{ key: "ToBeDeletedByClusterAutoscaler" }] }, {}],
    ["excluded node", { labels: { "node.kubernetes.io/exclude-from-external-load-balancers": "" } }, {}],
    ["excluded node (Alibaba label)", { labels: { "service.alibabacloud.com/exclude-node": "true" } }, {}],
    ["hybrid node", { providerID: "ack-hybrid://abc" }, {}],
    ["edge node", { providerID: "ens-abc" }, {}],
    ["edge node that is a server of another region", { labels: { "alibabacloud.com/is-edge-worker": "true" } }, {}],
    ["edge node of OpenYurt", { labels: { "openyurt.io/is-edge-worker": "true" } }, {}],
    [
        "instance of Edge Node Service",
        { labels: { "alibabacloud.com/ens-instance-id": "i-5xyz" }, providerID: "cn-hangzhou-44.i-5xyz" },
        {},
    ],
    ["node without a providerID", { providerID: "" }, {}],
    [
        "cordoned node, if asked",
        { unschedulable: true },
        { "alibaba-cloud-loadbalancer-remove-unscheduled-backend": "on" },
    ],
    ["node without the label", {}, { "alibaba-cloud-loadbalancer-backend-label": "zone=a,disk=ssd" }],
];

for (const [what, more, annotations] of EXCLUDED) {
    test(`never a backend: ${what}, in Cluster mode or with a pod in Local mode`, () => {
        const kept = node("kept", { labels: { zone: "a", disk: "ssd" } });
        const left = node("left", { ...more, labels: { zone: "a", ...more?.labels } });
        expect(backendsOf(service({ annotations }), [kept, left], []).weights).toStrictEqual({ "i-kept": 100 });
        const local = backendsOf(
            service({ annotations, policy: "Local" }),
            [kept, left],
            [
                slice([
                    { ip: "10.0.0.1", node: "kept" },
                    { ip: "10.0.0.2", node: "left" },
                ]),
            ],
        );
        expect(local.weights).toStrictEqual({ "i-kept": 1 });
        expect(local.notes.join()).toMatch(/pods on node left get no traffic/);
    });
}

test("a cordoned node stays by default", () => {
    expect(backendsOf(service(), [node("a", { unschedulable: true })], []).weights).toStrictEqual({ "i-a": 100 });
});

test.each([
    ["a virtual node", {}],
    ["a virtual node that is itself kept out", { "alpha.service-controller.kubernetes.io/exclude-balancer": "true" }],
])("pods on %s are attached directly, in both node modes", (_, labels) => {
    const nodes = [node("a"), node("virtual", { labels: { type: "virtual-kubelet", ...labels } })];
    const pods = [
        slice([
            { ip: "10.0.0.1", node: "a" },
            { ip: "10.0.0.9", node: "virtual" },
        ]),
    ];
    expect(backendsOf(service(), nodes, pods).weights).toStrictEqual({ "10.0.0.9:8080": 100, "i-a": 100 });
    expect(backendsOf(service({ policy: "Local" }), nodes, pods).weights).toStrictEqual({
        "10.0.0.9:8080": 1,
        "i-a": 1,
    });
});

test("an empty group says why", () => {
    expect(backendsOf(service(), [], []).notes.join()).toMatch(/no node of the cluster can be one/);
    expect(backendsOf(service({ policy: "Local" }), [node("a")], []).notes.join()).toMatch(
        /selector finds no ready pod/,
    );
    expect(backendsOf({ ...service({ policy: "Local" }), selector: {} }, [node("a")], []).notes.join()).toMatch(
        /the EndpointSlices of the Service have no ready endpoint/,
    );
    expect(
        backendsOf(service({ policy: "Local" }), [], [slice([{ ip: "10.0.0.1", node: "gone" }])]).notes.join(),
    ).toMatch(/no node with a ready pod can be one/);
});

test("a named target port that no pod has is said, whatever the backends are", () => {
    const unnamed: EndpointSliceObject = { ...slice([{ ip: "10.0.0.1", node: "a" }]), ports: [] };
    for (const policy of ["Cluster", "Local"])
        for (const [targetPort, slices, expected] of [
            ["nosuch", [unnamed], [/no pod has the targetPort nosuch: port 80 of the Service gets no answer/]],
            ["http", [slice([{ ip: "10.0.0.1", node: "a" }])], []],
            [8080, [unnamed], []],
            ["nosuch", [], []],
        ] as const) {
            const { notes } = backendsOf(service({ policy, targetPort }), [node("a")], [...slices]);
            const said = notes.filter((text) => text.includes("targetPort"));
            expect([policy, targetPort, said]).toStrictEqual([
                policy,
                targetPort,
                expected.map((text) => expect.stringMatching(text)),
            ]);
        }
});

test("pods that are not ready are endpoints of a Service that publishes their addresses", () => {
    const subject = service();
    const object = { spec: { publishNotReadyAddresses: true } };
    const pod: PodObject = { metadata: { name: "a" }, spec: { nodeName: "n" }, status: { podIP: "10.0.0.1" } };
    const readyOf = (one: Service) => predictSlices(one, [pod])[0]?.endpoints?.[0]?.conditions?.ready;
    expect([readyOf(subject), readyOf({ ...subject, object })]).toStrictEqual([false, true]);
});

test("before the Service exists its slices are predicted from the pods that its selector finds", () => {
    const pod = (ip: string, more: object = {}): PodObject =>
        ({
            metadata: { name: `p-${ip}`, namespace: "shop" },
            spec: { nodeName: "a", containers: [{ ports: [{ name: "web", containerPort: 9090 }] }] },
            status: { podIP: ip, phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
            ...more,
        }) as unknown as PodObject;
    const subject = service({ annotations: { "backend-type": "eni" }, targetPort: "web" });
    const predicted = predictSlices(subject, [
        pod("10.0.0.1"),
        pod("10.0.0.2", {
            status: { podIP: "10.0.0.2", phase: "Running", conditions: [{ type: "Ready", status: "False" }] },
        }),
        pod("10.0.0.3", { metadata: { name: "p3", namespace: "shop", deletionTimestamp: "2026-01-01T00:00:00Z" } }),
        pod("", { status: { phase: "Pending" } }),
        pod("10.0.0.4", {
            spec: {
                containers: [{}],
                initContainers: [
                    { ports: [{ name: "web", containerPort: 1 }] },
                    { restartPolicy: "Always", ports: [{ name: "web", containerPort: 9191 }] },
                ],
            },
            status: { podIP: "10.0.0.4", phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
        }),
    ]);
    expect(backendsOf(subject, [], predicted).weights).toStrictEqual({ "10.0.0.1:9090": 100, "10.0.0.4:9191": 100 });
});

const ZONES = { "alibaba-cloud-loadbalancer-zone-maps": "cn-hangzhou-a:vsw-a,cn-hangzhou-b:vsw-b" };

/** Backends of the first group of a Service with an NLB. */
function nlbBackendsOf(
    annotations: Record<string, string>,
    nodes: NodeObject[],
    slices: EndpointSliceObject[],
    facts: ClusterFacts = FACTS,
    policy = "Cluster",
) {
    const prefixed = Object.entries(annotations).map(([key, value]) => [
        key === "backend-type" ? key : `alibaba-cloud-loadbalancer-${key}`,
        value,
    ]);
    const subject = {
        ...service({ policy, annotations: { ...ZONES, ...Object.fromEntries(prefixed) }, facts, type: "nlb" }),
    };
    const group = found(buildNlb(subject, facts).serverGroups[0], "the group");
    const made = groupBackends(subject, group, facts, { nodes, endpointSlices: slices });
    return Object.fromEntries(Object.entries(made.backends).map(([key, { weight }]) => [key, weight]));
}

const withAddress = (name: string, address: string): NodeObject => {
    const plain = node(name);
    return { ...plain, status: { ...plain.status, addresses: [{ type: "InternalIP", address }] } };
};
const TERWAY: ClusterFacts = { clusterId: "c1", networkPlugin: "terway", vpcCidrs: ["10.0.0.0/8"] };
const v6 = (ip: string): EndpointSliceObject => ({ ...slice([{ ip }]), addressType: "IPv6" });

test("nlb: nodes are members by their instance, or by their address in a group of addresses", () => {
    const nodes = [
        withAddress("a", "192.168.0.1"),
        withAddress("b", "192.168.0.2"),
        node("none"),
        { ...withAddress("edge", "172.16.0.1"), spec: { providerID: "ack-hybrid://edge" } },
    ];
    expect(nlbBackendsOf({}, nodes, [])).toStrictEqual({ "i-a": 100, "i-b": 100, "i-none": 100 });
    expect(nlbBackendsOf({ "server-group-type": "Ip" }, nodes, [])).toStrictEqual({
        "192.168.0.1": 100,
        "192.168.0.2": 100,
    });
});

test("nlb: in Local mode a node is a member once, weighted by its pods, also by its address", () => {
    const pods = [
        { ip: "10.0.0.1", node: "a" },
        { ip: "10.0.0.2", node: "a" },
    ];
    expect(
        nlbBackendsOf({ "server-group-type": "Ip" }, [withAddress("a", "192.168.0.1")], [slice(pods)], FACTS, "Local"),
    ).toStrictEqual({ "192.168.0.1": 2 });
});

test("nlb: pods outside the VPC are members of a group of addresses only", () => {
    const pods = [slice([{ ip: "10.0.0.1" }, { ip: "172.16.0.1" }])];
    expect(nlbBackendsOf({ "backend-type": "eni" }, [], pods, TERWAY)).toStrictEqual({ "10.0.0.1:8080": 100 });
    const edge: ClusterFacts = { ...TERWAY, networkPlugin: "terway-edge" };
    const byAddress = { "backend-type": "eni", "server-group-type": "Ip" };
    expect(nlbBackendsOf(byAddress, [], pods, edge)).toStrictEqual({ "10.0.0.1:8080": 100, "172.16.0.1:8080": 100 });
    const onEdge = [slice([{ ip: "10.0.0.1", node: "a" }]), slice([{ ip: "172.16.0.1", node: "edge" }])];
    const nodes = [node("a"), node("edge", { labels: { "alibabacloud.com/is-edge-worker": "true" } })];
    expect(nlbBackendsOf(byAddress, nodes, onEdge, edge)).toStrictEqual({
        "10.0.0.1:8080": 100,
        "172.16.0.1:8080": 100,
    });
    expect(
        nlbBackendsOf({ "backend-type": "eni" }, nodes, onEdge, {
            ...edge,
            vpcCidrs: ["10.0.0.0/8", "172.16.0.0/12"],
        }),
    ).toStrictEqual({ "10.0.0.1:8080": 100 });
});

test("nlb: which IP versions of the pods are members is said by annotation", () => {
    const slices = [slice([{ ip: "10.0.0.1" }]), v6("2001:db8::1")];
    const dual = { "backend-type": "eni", "ip-version": "DualStack" };
    expect(nlbBackendsOf(dual, [], slices, { ...TERWAY, vpcCidrs: ["10.0.0.0/8", "2001:db8::/32"] })).toStrictEqual({
        "10.0.0.1:8080": 100,
    });
    expect(
        nlbBackendsOf({ ...dual, "backend-ip-version": "ipv6" }, [], slices, {
            ...TERWAY,
            vpcCidrs: ["2001:db8::/32"],
        }),
    ).toStrictEqual({ "[2001:db8::1]:8080": 100 });
    expect(
        nlbBackendsOf({ ...dual, "backend-ip-version": "dualstack" }, [], slices, {
            ...TERWAY,
            vpcCidrs: ["10.0.0.0/8", "2001:db8::/32"],
        }),
    ).toStrictEqual({
        "10.0.0.1:8080": 100,
        "[2001:db8::1]:8080": 100,
    });
    const onlyV4 = { ...TERWAY, vpcCidrs: ["10.0.0.0/8"] };
    expect(Object.keys(nlbBackendsOf({ ...dual, "backend-ip-version": "ipv6" }, [], slices, onlyV4))).toStrictEqual([
        "[2001:db8::1]:8080",
    ]);
    expect(
        nlbBackendsOf({ ...dual, "backend-ip-version": "ipv6" }, [], [v6("2001:db8::1")], {
            ...TERWAY,
            vpcCidrs: ["fd00::/8"],
        }),
    ).toStrictEqual({});
});

test("nlb: the default weight, 0 included, is that of pods and Cluster nodes, not of Local nodes", () => {
    const nodes = [node("a"), node("b")];
    expect(nlbBackendsOf({ "default-weight": "0" }, nodes, [])).toStrictEqual({ "i-a": 0, "i-b": 0 });
    expect(
        nlbBackendsOf({ "default-weight": "30", "backend-type": "eni" }, nodes, [slice([{ ip: "10.0.0.1" }])], TERWAY),
    ).toStrictEqual({ "10.0.0.1:8080": 30 });
    const pods = slice([
        { ip: "10.0.0.1", node: "a" },
        { ip: "10.0.0.2", node: "a" },
    ]);
    expect(nlbBackendsOf({ "default-weight": "30" }, nodes, [pods], FACTS, "Local")).toStrictEqual({ "i-a": 2 });
});

test("nlb: members for a range of ports have no port, and the default weight replaces 100", () => {
    expect(
        nlbBackendsOf(
            { "backend-type": "eni", "listener-port-range": "80-400:80", "default-weight": "7" },
            [],
            [slice([{ ip: "10.0.0.1" }])],
            TERWAY,
        ),
    ).toStrictEqual({
        "10.0.0.1": 7,
    });
});
