/** Requirements: G10, H24. */
import { observedListener } from "../../provider/clb/listener";
import { expect, test } from "@jest/globals";
import type { ServiceObject } from "../../provider/service/objects";
import type { Backend } from "../../provider/schema/backend";
import { backendsOfGroups } from "../inspect/groups";
import { describeManagers, type InspectedService } from "../inspect/model";
import { liveService, OBJECT, SERVER_GROUP } from "../../test/support/inspect";
import { describeService } from "../show/main";
import { EXAMINATIONS, examine, judge, type Judgement } from "./examine";
import { describeExplanations, runExplain } from "./main";

const broken = (live: InspectedService): string[] =>
    examine(live)
        .filter(({ verdict }) => verdict === "broken")
        .map(({ what }) => what);

test("nothing is broken where everything is in order", () => {
    expect(broken(liveService())).toStrictEqual([]);
});

test("nodes and pods that an NLB's group has by address have the port of the group", () => {
    const cloud = (port: number): InspectedService["cloud"] => {
        const backends = [{ address: "192.168.0.1", port, weight: 100, mark: "k8s/30080/web/shop/c1" }];
        const serverGroups = [{ id: "rsp-1", name: "k8s/30080/web/shop/c1", backends }];
        return instance({ serverGroups });
    };
    const of = (model: Partial<typeof SERVER_GROUP>): InspectedService["desired"] => [
        {
            model: { ...SERVER_GROUP, ...model },
            backends: { "192.168.0.1": { weight: 100 } },
            draining: new Set(),
            notes: [],
        },
    ];
    expect(broken(liveService({ cloud: cloud(30080), desired: of({}) }))).toStrictEqual([]);
    expect(broken(liveService({ cloud: cloud(0), desired: of({ kind: "eni", anyPort: true }) }))).toStrictEqual([]);
});

test.each([
    ["found by their names", [], ["rsp-1", "rsp-2"]],
    [
        "one of which has a listener",
        [{ protocol: "tcp", port: 80, description: "k8s/80/web/shop/c1", serverGroupId: "rsp-2" }],
        ["rsp-2", "rsp-1"],
    ],
])("a TCP and a UDP port of one number have groups of one name, %s", (_, listeners, ids) => {
    const name = "k8s/30080/web/shop/c1";
    const serverGroups = ["rsp-1", "rsp-2"].map((id) => ({ id, name, backends: [] }));
    const [tcp, udp] = (["TCP", "UDP"] as const).map((protocol) => ({
        model: { ...SERVER_GROUP, key: `${protocol.toLowerCase()}-80`, ports: [{ port: 80, protocol }] },
        backends: {},
        draining: new Set<string>(),
        notes: [],
    }));
    const [port] = OBJECT.spec!.ports!;
    const object = { ...OBJECT, spec: { ...OBJECT.spec, ports: [port!, { ...port!, name: "udp", protocol: "UDP" }] } };
    const live = liveService({ object, cloud: instance({ listeners, serverGroups }), desired: [tcp!, udp!] });
    expect(backendsOfGroups(live).map(({ id }) => id)).toStrictEqual(ids);
});

const warning = (message: string) => [
    { warning: true, reason: "SyncLoadBalancerFailed", message, count: 3, at: "2026-01-01T00:00:00Z", component: "" },
];
const pending = { ...OBJECT, status: {} };
const found = liveService().cloud;
if (found.kind !== "found") throw new Error("the Service of tests has a load balancer");
const instance = (change: object): InspectedService["cloud"] => ({
    ...found,
    instance: { ...found.instance, ...change },
});

/** The load balancer with a listener of these attributes, by the API's names. */
const listener = (answer: Record<string, string>) => ({
    ...found,
    listeners: { "tcp:80": observedListener({ protocol: "tcp", port: 80 }, answer) },
});

/** Errors that the documents list, as events quote them (requirements G17 to G36), and the cause that is given. */
const EVENTS: readonly (readonly [message: string, cause: string])[] = [
    [
        "The backend server number has reached to the quota limit of this load balancers",
        "The server groups of this load balancer hold as many backends as the quota allows. With " +
            "externalTrafficPolicy Cluster every node is a backend of every port.",
    ],
    [
        "The loadbalancer does not support backend servers of eni type",
        "The load balancer is a shared-resource instance; those take no elastic network interfaces, so " +
            "pods cannot be its backends.",
    ],
    [
        "There are no available nodes for LoadBalancer",
        "No pod of the Service is ready, or its pods run only on nodes that are never backends (control " +
            "plane, excluded, not ready).",
    ],
    [
        "alicloud: can not find loadbalancer, but it's defined in service",
        "The Service's status names a load balancer that is not known: it was deleted, or " +
            "alibaba-cloud-loadbalancer-id was removed from a Service that reused it.",
    ],
    ["ORDER.ARREARAGE Message: The account is arrearage.", "The account has overdue payments."],
    [
        "PAY.INSUFFICIENT_BALANCE Message: Your account does not have enough balance.",
        "The account holds less than the CNY 100 that a pay-as-you-go load balancer needs.",
    ],
    [
        "Status Code: 400 Code: Throttling.User Message: Request was denied due to user flow control.",
        "The account made more calls of this API in a minute than its quota allows.",
    ],
    [
        "Status Code: 400 Code: RspoolVipExist Message: there are vips associating with this vServer " + "group.",
        "A listener or a forwarding rule still sends traffic to the server group, so the group cannot be " +
            "deleted. This is usual on a reused load balancer (alibaba-cloud-loadbalancer-id), whose " +
            "listeners others may have pointed at the group.",
    ],
    [
        "Status Code: 400 Code: NetworkConflict",
        "The internal load balancer named by alibaba-cloud-loadbalancer-id is in another VPC than the " + "cluster.",
    ],
    [
        "Status Code: 400 Code: VSwitchAvailableIpNotExist Message: The specified VSwitch has no " + "available ip.",
        "The vSwitch has no free address left for the load balancer.",
    ],
    [
        "Message: The specified VSwitch does not exist.",
        "There is no vSwitch with this id in this region: alibaba-cloud-loadbalancer-vswitch-id is " +
            "wrong, or the cluster's own vSwitch was deleted.",
    ],
    [
        "The specified Port must be between 1 and 65535.",
        "With pods as backends the port of the backend is targetPort, and a name was given where the " +
            "cloud needs a number.",
    ],
    [
        "Status Code: 400 Code: ShareSlbHaltSales Message: The share instance has been discontinued.",
        "A shared-resource instance was asked for, and those are no longer sold. CCM versions from " +
            "before performance-guaranteed instances were the default ask for them.",
    ],
    [
        "can not change ResourceGroupId once created",
        "alibaba-cloud-loadbalancer-resource-group-id was changed; the resource group of a load balancer " +
            "is fixed when it is created.",
    ],
    [
        "can not find eniid for ip 10.0.0.1 in vpc vpc-1",
        "No network interface of the VPC has the pod's address: the cluster does not run Terway, whose " +
            "pods alone have addresses of the VPC.",
    ],
    [
        "User does not have permission modify InstanceChargeType to spec.",
        "A load balancer that is billed by usage (PayByCLCU) cannot be turned into one that is billed by " +
            "specification (PayBySpec).",
    ],
    [
        "can not be reused, can not reuse loadbalancer created by kubernetes.",
        "alibaba-cloud-loadbalancer-id names a load balancer that CCM created for a Service; such an " +
            "instance is deleted with its Service and cannot be shared.",
    ],
    [
        "alicloud: can not change LoadBalancer AddressType once created. delete and retry",
        "alibaba-cloud-loadbalancer-address-type was changed; the type of a load balancer is fixed when " +
            "it is created.",
    ],
    [
        "service has been associated with ip [1.1.1.1], cannot be bound to ip [2.2.2.2]",
        "alibaba-cloud-loadbalancer-id of a Service that already has a load balancer was changed; a " +
            "Service stays with its load balancer.",
    ],
];

for (const [message, cause] of EVENTS) {
    test(`an event is explained: ${message}`, () => {
        const [first] = examine(
            liveService({ object: pending, events: warning(`Error syncing load balancer: ${message}`) }),
        );
        expect(first?.what).toBe(cause);
        expect(first?.evidence.join()).toContain(message);
        expect(first?.verdict).toBe("broken");
        expect([first?.source, first?.remedy]).not.toContain("");
    });
}

const MISHAPS: readonly (readonly [string, Partial<InspectedService>, RegExp])[] = [
    [
        "an event that nobody knows",
        { object: pending, events: warning("the moon is full") },
        /its controller reports SyncLoadBalancerFailed/,
    ],
    [
        "no run yet",
        { object: pending, cloud: { kind: "missing", lookedFor: "au1" } },
        /no run has finished, or its status was emptied/,
    ],
    ["another type", { object: { ...OBJECT, spec: { ...OBJECT.spec, type: "NodePort" } } }, /of type NodePort/],
    [
        "CCM without a word",
        { object: { ...pending, spec: { ...OBJECT.spec, loadBalancerClass: "alibabacloud.com/nlb" } } },
        /has not worked on it/,
    ],
    [
        "a finalizer",
        {
            object: {
                ...OBJECT,
                metadata: { ...OBJECT.metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] },
            },
        },
        /finalizers keep it/,
    ],
    ["a load balancer that is gone", { cloud: { kind: "missing", lookedFor: "au1" } }, /does not exist any more/],
    [
        "a status with another address",
        { object: { ...OBJECT, status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } } } },
        /shows 192\.0\.2\.9, and clients reach load balancer \S+ at/,
    ],
    [
        "an elastic IP address that is not the one of the status",
        { cloud: { ...found, elasticAddresses: ["203.0.113.9"] } },
        /clients reach load balancer \S+ at 203\.0\.113\.9/,
    ],
    [
        "source ranges without a list",
        { object: { ...OBJECT, spec: { ...OBJECT.spec, loadBalancerSourceRanges: ["10.0.0.0/8"] } } },
        /open to everybody: the access control list of its source ranges does not exist/,
    ],
    ["no endpoint", { slices: [] }, /no pod has the labels/],
    [
        "pods that are not ready",
        { slices: [], pods: [{ metadata: { name: "web-1" }, status: { phase: "Pending" } }] },
        /none of its pods is ready/,
    ],
    [
        "a targetPort by a name that no container has",
        {
            slices: [
                {
                    metadata: { name: "web-1" },
                    addressType: "IPv4",
                    endpoints: [{ addresses: ["10.0.0.7"] }],
                    ports: [],
                },
            ],
        },
        /no pod has the targetPort 8080/,
    ],
    [
        "pods on a node that is not a backend",
        {
            desired: [
                {
                    model: SERVER_GROUP,
                    backends: { "i-1": { weight: 100 } },
                    draining: new Set(),
                    notes: ["pods on node-2 get no traffic"],
                },
            ],
        },
        /pods on node-2/,
    ],
    [
        "an empty group",
        { cloud: instance({ serverGroups: [{ id: "rsp-1", name: "g", backends: [] }] }) },
        /has no backend of the Service/,
    ],
    [
        "a locked instance",
        { cloud: instance({ status: "locked" }) },
        /load balancer lb-1 is locked: no listener answers/,
    ],
    ["a stopped listener", { cloud: listener({ Status: "stopped" }) }, /listener tcp:80 of lb-1 is stopped/],
    [
        "a listener that was edited",
        { cloud: listener({ Status: "running", Scheduler: "sch" }) },
        /listener tcp:80 differs from what the Service asks for: .*scheduler/,
    ],
    [
        "an instance that was edited",
        { cloud: instance({ addressType: "intranet" }) },
        /load balancer differs from what the Service asks for: addressType/,
    ],
    [
        "two controllers",
        { object: { ...OBJECT, metadata: { ...OBJECT.metadata, finalizers: ["service.k8s.alibaba/resources"] } } },
        /two controllers manage the Service/,
    ],
    [
        "a Deployment that is scaled to 0",
        { slices: [], deployments: [{ name: "web", replicas: 0 }] },
        /no pod serves it: Deployment web is scaled to 0/,
    ],
    ["no listener", { cloud: instance({ listeners: [] }) }, /nothing listens on tcp:80/],
    [
        "another protocol",
        {
            cloud: instance({
                listeners: [{ protocol: "http", port: 80, description: "k8s/80/web/shop/c1", serverGroupId: "rsp-1" }],
            }),
        },
        /speaks http, and the Service asks for tcp/,
    ],
    [
        "health",
        { cloud: { ...found, health: [{ listener: "tcp:80", backend: "i-1:30080", state: "abnormal" }] } },
        /no backend of listener tcp:80/,
    ],
    [
        "the sync controller",
        {
            bindings: [
                { name: "web-tcp-80", synced: false, reason: "CloudRefused", message: "not allowed", facts: {} },
            ],
        },
        /does not keep web-tcp-80/,
    ],
    [
        "a full load balancer",
        {
            cloud: instance({
                serverGroups: [
                    {
                        id: "rsp-1",
                        name: "g",
                        backends: Array.from({ length: 200 }, (_, index) => ({
                            address: `i-${index}`,
                            port: 1,
                            weight: 1,
                        })),
                    },
                ],
            }),
        },
        /the published default quota of backends of an instance is used up/,
    ],
];

for (const [what, change, said] of MISHAPS) {
    test(`explained: ${what}`, () => {
        expect(broken(liveService(change))).toContainEqual(expect.stringMatching(said));
    });
}

test("show has the judgement and the exit code of explain, whatever is the matter", () => {
    const failed: InspectedService["cloud"] = { kind: "failed", code: "Forbidden.RAM", message: "not authorized" };
    const lives = [{}, { cloud: failed }, ...MISHAPS.map(([, change]) => change)].map((change) => liveService(change));
    for (const live of lives) {
        const { code, data, page } = describeExplanations(live);
        const { health, drift = null, summary } = data as Partial<Judgement>;
        const shown = describeService(live);
        expect([shown.code, shown.data]).toStrictEqual([code, expect.objectContaining({ health, drift })]);
        expect(shown.page.summary).toContain(`; ${summary}`);
        expect(page.summary).toContain(`: ${summary}`);
    }
    expect(new Set(lives.map((live) => describeService(live).code))).toStrictEqual(new Set([0, 1, 2]));
});

test("an unreachable cloud hides no cause in the cluster, and is not itself a cause", () => {
    const live = liveService({ cloud: { kind: "failed", code: "Forbidden.RAM", message: "not authorized" } });
    expect(broken(live)).toStrictEqual([]);
    expect(judge(live, examine(live))).toStrictEqual({
        health: "unknown",
        drift: undefined,
        summary: expect.stringMatching(/^could not be checked: the load balancer, because the cloud refuses to answer/),
    });
});

const withPort = (nodePort: number): ServiceObject => ({
    ...OBJECT,
    spec: { ...OBJECT.spec, ports: [{ name: "main", port: 80, protocol: "TCP", targetPort: 8080, nodePort }] },
});

const NODE = {
    metadata: { name: "node-2" },
    spec: { providerID: "cn-hangzhou.i-2" },
    status: { conditions: [{ type: "Ready", status: "False" }] },
} as const;

test("nodes and pods without traffic are named with the reason, and break nothing", () => {
    const excluded = {
        ...NODE,
        metadata: { name: "node-3", labels: { "service.beta.kubernetes.io/exclude-node": "" } },
    };
    const waiting = {
        metadata: { name: "web-2" },
        spec: { nodeName: "node-2" },
        status: { phase: "Running", conditions: [{ type: "Ready", status: "False", reason: "ContainersNotReady" }] },
    };
    const live = liveService({ nodes: [NODE, excluded], pods: [waiting] });
    expect(broken(live)).toStrictEqual([]);
    expect(examine(live).map(({ what, evidence }) => `${what}: ${evidence.join()}`)).toStrictEqual([
        expect.stringMatching(/^node node-2 is not a backend: it is not ready/),
        expect.stringMatching(
            /^node node-3 is not a backend: it carries the label service\.beta\.kubernetes\.io\/exclude-node/,
        ),
        expect.stringMatching(/^pod web-2 on node node-2 gets no traffic: it is not ready: .*ContainersNotReady/),
    ]);
});

test("an event is history once the Service works, or a later event reports success", () => {
    const healed = liveService({ events: warning("Code: Throttling.User") });
    expect([broken(healed), examine(healed).map(({ verdict }) => verdict)]).toStrictEqual([[], ["history"]]);
    expect(judge(healed, examine(healed)).health).toBe("works");
    const success = {
        warning: false,
        reason: "EnsuredLoadBalancer",
        message: "",
        count: 1,
        at: "2026-01-02T00:00:00Z",
        component: "",
    };
    const later = liveService({ object: pending, events: [success, ...warning("Code: Throttling.User")] });
    expect(examine(later).find(({ evidence }) => evidence.join().includes("Throttling"))?.verdict).toBe("history");
});

test("an event of a change, or of missing backends, is no success", () => {
    for (const reason of ["AnnotationChanged", "UnAvailableLoadBalancer"]) {
        const event = { warning: false, reason, message: "", count: 1, at: "2026-01-02T00:00:00Z", component: "" };
        const later = liveService({ object: pending, events: [event, ...warning("Code: Throttling.User")] });
        expect(broken(later)[0]).toMatch(/more calls of this API/);
    }
});

test("an event whose message says nothing known is explained by its reason", () => {
    for (const [reason, message, said] of [
        ["FeatureNotSupported", "source ranges of a reused NLB", /ignores spec\.loadBalancerSourceRanges/],
        [
            "FailedUpdateStatus",
            'services "web" is forbidden: User "ccm" cannot patch',
            /CCM could not write to the Service/,
        ],
    ] as const) {
        const events = [{ warning: true, reason, message, count: 1, at: "2026-01-01T00:00:00Z", component: "" }];
        expect(broken(liveService({ object: pending, events }))[0]).toMatch(said);
    }
});

test("an event that tells of no error breaks nothing", () => {
    const message = "The lb [lb-1] will be preserved after the service is deleted.";
    const events = [
        { warning: true, reason: "PreservedOnDelete", message, count: 3, at: "2026-01-01T00:00:00Z", component: "" },
    ];
    const preserved = examine(liveService({ object: pending, events })).filter(({ evidence }) =>
        evidence.join().includes(message),
    );
    expect(preserved).toMatchObject([{ verdict: "suspect", what: expect.stringMatching(/stays when the Service/) }]);
});

test("one cause has one finding: without pods, nothing is said of members and health", () => {
    const abnormal = { listener: "tcp:80", backend: "i-1:30080", state: "abnormal" } as const;
    const live = liveService({
        slices: [],
        deployments: [{ name: "web", replicas: 0 }],
        desired: [
            {
                model: SERVER_GROUP,
                backends: {},
                draining: new Set(),
                notes: ["server group tcp-80 has no backend"],
            },
        ],
        cloud: { ...found, health: [abnormal] },
    });
    expect(broken(live)).toStrictEqual(["no pod serves it: Deployment web is scaled to 0"]);
});

test("the probes of an NLB come from its vSwitches", () => {
    const abnormal = { listener: "tcp:80", backend: "i-1:30080", state: "abnormal" } as const;
    const zoneMaps = [{ zoneId: "a", vswitchId: "vsw-a", privateIpv4: "10.0.0.9" }];
    const cloud = { ...found, instance: { ...found.instance, zoneMaps }, health: [abnormal] };
    const remedyOf = (type: "clb" | "nlb") =>
        examine(liveService({ type, cloud: { ...cloud, instance: { ...cloud.instance, kind: type } as never } })).find(
            ({ what }) => what.includes("health check"),
        )?.remedy;
    expect(remedyOf("clb")).toMatch(/probes \(100\.64\.0\.0\/10\)/);
    expect(remedyOf("nlb")).toMatch(/probes \(the NLB's addresses in its vSwitches: 10\.0\.0\.9 in vsw-a\)/);
});

test("health and bindings that may not be read are not seen, and nothing is said to work", () => {
    for (const change of [{ cloud: { ...found, health: undefined } }, { bindings: undefined }]) {
        const live = liveService(change);
        expect(judge(live, examine(live))).toMatchObject({
            health: "unknown",
            summary: expect.stringMatching(/^could not be checked: the (?:health of backends|bindings of the sync)/),
        });
    }
});

test("an assigned node port in the nodes' range of local ports is explained", () => {
    const said = (nodePort: number) =>
        examine(liveService({ object: withPort(nodePort) })).filter(({ what }) => what.includes("local port range"));
    expect([said(32767), said(61000)]).toStrictEqual([[], []]);
    expect(said(33000)).toMatchObject([
        {
            what: "node port 33000 of port 80 is in the nodes' local port range 32768-60999",
            remedy: expect.stringContaining("set spec.ports.nodePort to an unused port"),
        },
    ]);
});

test("access from within the cluster: all ways of the FAQ are named, and the host name", () => {
    const local = liveService({ object: { ...OBJECT, spec: { ...OBJECT.spec, externalTrafficPolicy: "Local" } } });
    const [trap] = examine(local).filter(({ what }) => what.startsWith("from inside the cluster the address"));
    expect(trap?.remedy).toMatch(
        /use web\.shop\.svc\.cluster\.local; or use externalTrafficPolicy Cluster, .*; or, with Terway, Cluster and backend-type "eni", .*; or set hostname/,
    );
});

/** The Service of a stack, whose selector somebody has set since. */
const editedBy = (manager: string): ServiceObject => ({
    ...OBJECT,
    metadata: {
        ...OBJECT.metadata,
        annotations: { "ack-loadbalancer.io/stack": "shop/prod" },
        managedFields: [
            {
                manager: "pulumi-kubernetes-1",
                fieldsV1: { "f:metadata": { "f:annotations": { "f:ack-loadbalancer.io/stack": {} } } },
            },
            { manager, time: "2026-01-01T00:00:00Z", fieldsV1: { "f:spec": { "f:selector": { "f:app": {} } } } },
        ] as never,
    },
});

test("a Service that somebody has edited is named, and broken only if something else is", () => {
    const edited = { object: editedBy("kubectl-edit") };
    const [alone] = examine(liveService(edited));
    expect(alone).toMatchObject({
        verdict: "drift",
        what: "the Service was edited by kubectl-edit: spec.selector.app",
        evidence: [expect.stringMatching(/kubectl-edit set spec\.selector\.app at 2026-01-01T00:00:00Z$/)],
        remedy: expect.stringMatching(/^run pulumi up --refresh in shop\/prod/),
    });
    expect(broken(liveService({ ...edited, slices: [] }))).toStrictEqual([
        "the Service was edited by kubectl-edit: spec.selector.app",
        "no pod has the labels of the Service's selector",
    ]);
});

test("a missing access control list has the remedy of the Service's manager", () => {
    const spec = { ...OBJECT.spec, loadBalancerSourceRanges: ["10.0.0.0/8"] };
    const own = liveService({ object: { ...OBJECT, spec } });
    const remedyOf = (live: InspectedService) =>
        examine(live).find(({ what }) => what.includes("access control list"))?.remedy;
    expect(remedyOf(own)).toMatch(/^run pulumi up --refresh\. .*pulumi up --replace '\*\*slb\/acl:Acl::shop\/web'/);
    const { loadBalancerClass: _, ...unclassed } = spec;
    const metadata = { ...OBJECT.metadata, finalizers: ["service.k8s.alibaba/resources"] };
    expect(remedyOf({ ...own, object: { ...OBJECT, metadata, spec: unclassed } })).toMatch(
        /^change an annotation of the Service/,
    );
});

test("the load balancer of a former Service is named with its stack, address and bill", () => {
    const object = {
        ...OBJECT,
        metadata: {
            ...OBJECT.metadata,
            annotations: { "ack-loadbalancer.io/stack": "ops/prod" },
            finalizers: ["service.k8s.alibaba/resources"],
        },
    };
    const live = liveService({ object, cloud: { ...found, former: [{ id: "lb-2", address: "203.0.113.9" }] } });
    expect(examine(live).map(({ what }) => what)).toContain(
        "stack ops/prod still holds load balancer lb-2 (203.0.113.9) for this Service, and it is billed",
    );
});

const BOUND = { name: "web-tcp-80", synced: true, reason: "Synced", message: "", facts: {} };

const EMPTY = instance({ serverGroups: [{ id: "rsp-1", name: SERVER_GROUP.key, backends: [] }] });

test.each([
    [
        "is old, or the controller is late",
        { ...BOUND, groupId: "rsp-1" },
        /^wait .*; else run pulumi up --refresh, which/,
    ],
    ["is there, of a group that is not known", BOUND, /^wait .*; else run pulumi up --refresh, which/],
    ["was not made", { ...BOUND, groupId: "rsp-2" }, /^run pulumi up --refresh, which makes the ServerGroupBinding of/],
])("an empty group is filled by a run or by the sync controller: its binding %s", (_, binding, said) => {
    const found = examine(liveService({ cloud: EMPTY, bindings: [binding] })).find(({ what }) =>
        /no backend of the/.test(what),
    );
    expect(found).toMatchObject({ verdict: "broken", remedy: expect.stringMatching(said) });
});

/** The load balancer with a further member in the Service's group. */
const withMember = (member: Backend) =>
    instance({
        serverGroups: found.instance.serverGroups.map((group) => ({
            ...group,
            backends: [...(group.backends ?? []), member],
        })),
    });

test("every examination finds something in one of the mishaps", () => {
    const lives = [
        ...MISHAPS.map(([, change]) => liveService(change)),
        liveService({ object: { ...OBJECT, spec: { ...OBJECT.spec, externalTrafficPolicy: "Local" } } }),
        liveService({ object: withPort(33000) }),
    ];
    const wrong = liveService({
        object: {
            ...OBJECT,
            metadata: {
                ...OBJECT.metadata,
                annotations: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type": "Internet" },
            },
        },
    });
    lives.push(liveService({ nodes: [NODE] }));
    lives.push(liveService({ cloud: { ...found, former: [{ id: "lb-2", address: "203.0.113.9" }] } }));
    lives.push(liveService({ object: editedBy("kubectl-edit") }));
    lives.push(
        liveService({
            cloud: instance({ listeners: [{ ...found.instance.listeners[0], serverGroupId: "rsp-2" }] }),
        }),
    );
    lives.push(
        liveService({ clusterId: "c2" }),
        liveService({ cloud: { ...found, certificates: [{ id: "cert-1", expired: true }] } }),
        liveService({ cloud: instance({ kind: "nlb", bandwidthPackageId: "cbwp-1" }) }),
        liveService({ object: { ...OBJECT, spec: { ...OBJECT.spec, loadBalancerClass: undefined } } }),
        liveService({ bindings: [BOUND], leader: { lease: "a/b", holder: undefined, renewed: "" } }),
        liveService({ cloud: withMember({ address: "i-1", port: 9, weight: 1, mark: "theirs" }) }),
    );
    for (const [name, check] of Object.entries(EXAMINATIONS))
        expect([name, [...lives, wrong].some((live) => [check(live) ?? []].flat().length > 0)]).toStrictEqual([
            name,
            true,
        ]);
});

test("a wrong command line and an unreadable cluster give exit code 2", async () => {
    for (const [argv, said] of [
        [["shop/web", "--kubeconfig", "/none/kubeconfig"], /kubeconfig/],
        [["shop/web", "--format", "pdf"], /unknown format "pdf"/],
        [["shop/web", "shop/api"], /unexpected argument shop\/api/],
        [["shop/web", "--loud"], /--loud/],
    ] as const) {
        const text = { out: "", error: "" };
        const output = {
            out: (part: string) => void (text.out += part),
            error: (part: string) => void (text.error += part),
        };
        expect([await runExplain(argv, output), text.out]).toStrictEqual([2, ""]);
        expect(text.error).toMatch(said);
    }
});

const FINALIZER = "service.k8s.alibaba/resources";
const CLASS = "service.beta.kubernetes.io/class";
const STACK = "ack-loadbalancer.io/stack";

test.each<readonly [string, string | undefined, Record<string, string>, string]>([
    ["its class", "ack-loadbalancer.io/clb", {}, "CCM and a program that follows it"],
    ["the annotation", undefined, { [CLASS]: "ack-loadbalancer.io/clb" }, "CCM and a program that follows it"],
    ["a stack", undefined, { [STACK]: "shop/prod" }, "CCM and stack shop/prod"],
    ["nothing", undefined, {}, "Cloud Controller Manager"],
])("show and explain find the same controllers of a Service of CCM that declares this package by %s", (...row) => {
    const [, loadBalancerClass, annotations, managers] = row;
    const { loadBalancerClass: _, ...spec } = OBJECT.spec ?? {};
    const object: ServiceObject = {
        ...OBJECT,
        metadata: { name: "web", namespace: "shop", annotations, finalizers: [FINALIZER] },
        spec: { ...spec, ...(loadBalancerClass !== undefined && { loadBalancerClass }) },
    };
    expect(describeManagers(object)).toBe(managers);
    const found = broken(liveService({ object })).filter((text) => text.startsWith("two controllers"));
    expect(found).toHaveLength(managers.startsWith("CCM and") ? 1 : 0);
});
