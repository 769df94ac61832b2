/** Requirements: A69, B03, C16, C35, C36, G29, H02, H16, H20, H22, I07, I40, I41, I53, I64, X01, X22, X27, X40. */
import { expect, test } from "@jest/globals";
import { formatPath } from "../diagnostics";
import fc from "fast-check";
import { documentOf, readManifests } from "./manifests";
import type { Settings } from "../schema/settings";
import type { ClusterFacts } from "../schema/facts";
import { parseService } from "./service";
import { LOAD_BALANCER_CLASSES, NLB_CLASS } from "../schema/load-balancer-type";
import { found } from "../../test/support/found";

const facts: ClusterFacts = { clusterId: "c1" };

interface Change {
    readonly metadata?: Record<string, unknown>;
    readonly spec?: Record<string, unknown>;
    readonly facts?: Partial<ClusterFacts>;
    readonly typed?: Settings;
}

const object = ({ metadata, spec }: Change): Record<string, unknown> => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", ...metadata },
    spec: { type: "LoadBalancer", selector: { app: "web" }, ports: [{ port: 80 }], ...spec },
});

const parse = (change: Change): ReturnType<typeof parseService> =>
    parseService(documentOf(object(change)), { ...facts, ...change.facts }, change.typed);

/** `severity code path` of every diagnostic. */
const codes = (change: Change): string[] =>
    parse(change).diagnostics.map(
        (diagnostic) => `${diagnostic.severity} ${diagnostic.code} ${formatPath(diagnostic.place.path ?? [])}`,
    );

test("a Service with everything left out that may be", () => {
    expect(parse({})).toStrictEqual({
        service: {
            namespace: "default",
            name: "web",
            selector: { app: "web" },
            ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
            externalTrafficPolicy: "Cluster",
            loadBalancerType: "clb",
            loadBalancerSourceRanges: [],
            settings: {},
            object: object({}),
        },
        diagnostics: [],
    });
});

test("a Service with every field", () => {
    const { service } = parse({
        metadata: {
            namespace: "shop",
            uid: "123e4567-e89b-12d3-a456-426614174000",
            annotations: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-scheduler": "wrr" },
        },
        spec: {
            externalTrafficPolicy: "Local",
            loadBalancerClass: LOAD_BALANCER_CLASSES.clb,
            ports: [
                { name: "a", port: 80, protocol: "TCP", targetPort: "http", nodePort: 30080 },
                { name: "b", port: 53, protocol: "UDP", targetPort: 5353 },
            ],
        },
        typed: { bandwidth: 5, chargeType: "paybybandwidth" },
    });
    expect(service && { ...service, object: undefined }).toStrictEqual({
        namespace: "shop",
        name: "web",
        uid: "123e4567-e89b-12d3-a456-426614174000",
        selector: { app: "web" },
        ports: [
            { name: "a", port: 80, protocol: "TCP", targetPort: "http", nodePort: 30080 },
            { name: "b", port: 53, protocol: "UDP", targetPort: 5353 },
        ],
        externalTrafficPolicy: "Local",
        loadBalancerClass: LOAD_BALANCER_CLASSES.clb,
        loadBalancerType: "clb",
        loadBalancerSourceRanges: [],
        settings: { scheduler: "wrr", bandwidth: 5, chargeType: "paybybandwidth" },
        object: undefined,
    });
});

const named = (...ports: Record<string, unknown>[]): Change => ({
    spec: { ports: ports.map((port, index) => ({ name: `p${index}`, ...port })) },
});

const ZONES = {
    "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-zone-maps": "cn-hangzhou-a:vsw-a,cn-hangzhou-b:vsw-b",
};

const TYPE = "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-type";

const problems: readonly [name: string, change: Change, expected: readonly string[]][] = [
    ["no ports", { spec: { ports: undefined } }, ["error service-port spec.ports"]],
    ["an empty list of ports", { spec: { ports: [] } }, ["error service-port spec.ports"]],
    ["ports that are no list", { spec: { ports: { port: 80 } } }, ["error service-port spec.ports"]],
    ["a port that is no mapping", { spec: { ports: [80] } }, ["error service-port spec.ports[0]"]],
    ["port 0", { spec: { ports: [{ port: 0, targetPort: 80 }] } }, ["error service-port spec.ports[0].port"]],
    ["port 65536", { spec: { ports: [{ port: 65536, targetPort: 80 }] } }, ["error service-port spec.ports[0].port"]],
    ["a quoted port", { spec: { ports: [{ port: "80" }] } }, ["error service-port spec.ports[0].port"]],
    ["half a port", { spec: { ports: [{ port: 80.5 }] } }, ["error service-port spec.ports[0].port"]],
    ["SCTP", { spec: { ports: [{ port: 80, protocol: "SCTP" }] } }, ["error service-port spec.ports[0].protocol"]],
    [
        "a protocol in lower case",
        { spec: { ports: [{ port: 80, protocol: "tcp" }] } },
        ["error service-port spec.ports[0].protocol"],
    ],
    [
        "a target port out of range",
        { spec: { ports: [{ port: 80, targetPort: 70000 }] } },
        ["error service-port spec.ports[0].targetPort"],
    ],
    [
        "a target port that is no name",
        { spec: { ports: [{ port: 80, targetPort: "HTTP_80" }] } },
        ["error service-port spec.ports[0].targetPort"],
    ],
    [
        "a target port that is a number in quotes",
        { spec: { ports: [{ port: 80, targetPort: "80" }] } },
        ["error service-port spec.ports[0].targetPort"],
    ],
    [
        "a node port out of range",
        { spec: { ports: [{ port: 80, nodePort: 8080 }] } },
        ["warning service-port spec.ports[0].nodePort"],
    ],
    [
        "a node port just below the default range",
        { spec: { ports: [{ port: 80, nodePort: 29999 }] } },
        ["warning service-port spec.ports[0].nodePort"],
    ],
    ["the first node port of the default range", { spec: { ports: [{ port: 80, nodePort: 30000 }] } }, []],
    ["the last node port of the default range", { spec: { ports: [{ port: 80, nodePort: 32767 }] } }, []],
    [
        "a node port just above the default range",
        { spec: { ports: [{ port: 80, nodePort: 32768 }] } },
        ["warning service-port spec.ports[0].nodePort"],
    ],
    [
        "a node port in the cluster's own range",
        { spec: { ports: [{ port: 80, nodePort: 8080 }] }, facts: { nodePortRange: { from: 8000, to: 9000 } } },
        [],
    ],
    [
        "a node port outside of it",
        { spec: { ports: [{ port: 80, nodePort: 30080 }] }, facts: { nodePortRange: { from: 8000, to: 9000 } } },
        ["error service-port spec.ports[0].nodePort"],
    ],
    ["no node port yet", { spec: { ports: [{ port: 80, nodePort: 0 }] } }, []],
    [
        "a port as templates write it, with nothing behind some keys",
        { spec: { ports: [{ name: null, port: 80, protocol: null, targetPort: null, nodePort: null }] } },
        [],
    ],
    [
        "a port with values that mean nothing to Kubernetes",
        { spec: { ports: [{ name: "", port: 80, protocol: "", targetPort: 0, nodePort: 0 }] } },
        [],
    ],
    ["a port that is nothing", { spec: { ports: [{ port: null }] } }, ["error service-port spec.ports[0].port"]],
    [
        "several problems of several ports",
        {
            spec: {
                ports: [
                    { name: "A", port: 0 },
                    { port: 81, protocol: "X", nodePort: 65536 },
                ],
            },
        },
        [
            "error service-port spec.ports[0].name",
            "error service-port spec.ports[0].port",
            "error service-port spec.ports[1].protocol",
            "error service-port spec.ports[1].nodePort",
            "error service-port spec.ports[1]",
        ],
    ],
    [
        "ports without names",
        { spec: { ports: [{ port: 80 }, { name: "b", port: 81 }] } },
        ["error service-port spec.ports[0]"],
    ],
    ["the same port twice", named({ port: 80 }, { port: 80 }), ["error service-port spec.ports[1].port"]],
    [
        "the same name twice",
        named({ port: 80, name: "x" }, { port: 81, name: "x" }),
        ["error service-port spec.ports[1].name"],
    ],
    [
        "the same node port twice",
        named({ port: 80, nodePort: 30000 }, { port: 81, nodePort: 30000 }),
        ["error service-port spec.ports[1].nodePort"],
    ],
    ["TCP and UDP on one port", named({ port: 53 }, { port: 53, protocol: "UDP" }), []],
    [
        "the same on an old Kubernetes",
        { ...named({ port: 53 }, { port: 53, protocol: "UDP" }), facts: { kubernetesVersion: "v1.22.15" } },
        ["error service-port spec.ports[1].port"],
    ],
    [
        "the same on the last Kubernetes without it",
        { ...named({ port: 53 }, { port: 53, protocol: "UDP" }), facts: { kubernetesVersion: "v1.23.17" } },
        ["error service-port spec.ports[1].port"],
    ],
    [
        "the same on a new enough Kubernetes",
        { ...named({ port: 53 }, { port: 53, protocol: "UDP" }), facts: { kubernetesVersion: "v1.24.0" } },
        [],
    ],
    [
        "a named target port of pods, old controller",
        {
            spec: { ports: [{ port: 80, targetPort: "http" }] },
            facts: { compatibility: "v1.9.3.380", networkPlugin: "terway" },
        },
        ["error service-port spec.ports[0].targetPort"],
    ],
    [
        "a named target port of pods, just before the controller resolved it",
        {
            spec: { ports: [{ port: 80, targetPort: "http" }] },
            facts: { compatibility: "v2.0.0", networkPlugin: "terway" },
        },
        ["error service-port spec.ports[0].targetPort"],
    ],
    [
        "a named target port of pods, from the controller on that resolves it",
        {
            spec: { ports: [{ port: 80, targetPort: "http" }] },
            facts: { compatibility: "v2.0.1", networkPlugin: "terway" },
        },
        [],
    ],
    [
        "a named target port of nodes, old controller",
        {
            spec: { ports: [{ port: 80, targetPort: "http" }] },
            facts: { compatibility: "v1.9.3.380", networkPlugin: "flannel" },
        },
        [],
    ],
    [
        "a named target port of pods",
        { spec: { ports: [{ port: 80, targetPort: "http" }] }, facts: { networkPlugin: "terway" } },
        [],
    ],
    [
        "no node ports where nodes are the backends",
        { spec: { allocateLoadBalancerNodePorts: false } },
        ["error service-port spec.ports[0]"],
    ],
    [
        "no node ports where pods are the backends",
        { spec: { allocateLoadBalancerNodePorts: false }, facts: { networkPlugin: "terway" } },
        [],
    ],
    [
        "no node ports but those that are named",
        { spec: { allocateLoadBalancerNodePorts: false, ports: [{ port: 80, nodePort: 30080 }] } },
        [],
    ],
    ["a headless load balancer", { spec: { clusterIP: "None" } }, ["error service-field spec.clusterIP"]],
    ["no selector", { spec: { selector: undefined } }, ["warning service-field spec.selector"]],
    ["an empty selector", { spec: { selector: {} } }, ["warning service-field spec.selector"]],
    ["a selector of the wrong type", { spec: { selector: "app=web" } }, ["error service-field spec.selector"]],
    ["a selector with a number", { spec: { selector: { app: 7 } } }, ["error service-field spec.selector.app"]],
    ["no name", { metadata: { name: undefined } }, ["error service-field metadata.name"]],
    [
        "a port that lacks a name and has a wrong number",
        { spec: { ports: [{ port: "80" }, { name: "https", port: 443 }] } },
        ["error service-port spec.ports[0].port", "error service-port spec.ports[0]"],
    ],
    [
        "an annotation among the labels",
        { metadata: { labels: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-id": "lb-1", app: "web" } } },
        ["warning annotation-scope " + 'metadata.labels["service.beta.kubernetes.io/alibaba-cloud-loadbalancer-id"]'],
    ],
    ["a name that is a number", { metadata: { name: 7 } }, ["error service-field metadata.name"]],
    ["a name that Kubernetes refuses", { metadata: { name: "Web_1" } }, ["error service-field metadata.name"]],
    [
        "a namespace that Kubernetes refuses",
        { metadata: { namespace: "a.b" } },
        ["error service-field metadata.namespace"],
    ],
    [
        "annotations of the wrong type",
        { metadata: { annotations: ["a"] } },
        ["error service-field metadata.annotations"],
    ],
    ["no annotations", { metadata: { annotations: null } }, []],
    [
        "annotations of others that are no strings",
        { metadata: { annotations: { "prometheus.io/port": 9113, "prometheus.io/scrape": true, "x.io/list": [] } } },
        [
            'error annotation-type metadata.annotations["prometheus.io/port"]',
            'error annotation-type metadata.annotations["prometheus.io/scrape"]',
            'error annotation-type metadata.annotations["x.io/list"]',
        ],
    ],
    ["an annotation of others with nothing behind it", { metadata: { annotations: { "x.io/empty": null } } }, []],
    [
        "a traffic policy that does not exist",
        { spec: { externalTrafficPolicy: "local" } },
        ["error service-field spec.externalTrafficPolicy"],
    ],
    [
        "a type that does not exist",
        { spec: { type: "Loadbalancer" } },
        ["error service-field spec.type", "warning service-type spec.type"],
    ],
    ["our class", { spec: { loadBalancerClass: LOAD_BALANCER_CLASSES.clb } }, []],
    [
        "our mark on a Service that is followed",
        { metadata: { annotations: { "service.beta.kubernetes.io/class": LOAD_BALANCER_CLASSES.clb } } },
        [],
    ],
    [
        "the mark of another controller",
        { metadata: { annotations: { "service.beta.kubernetes.io/class": "example.com/lb" } } },
        ['warning service-class metadata.annotations["service.beta.kubernetes.io/class"]'],
    ],
    ["a mark with nothing behind it", { metadata: { annotations: { "service.beta.kubernetes.io/class": null } } }, []],
    [
        "a mark that is no text",
        { metadata: { annotations: { "service.beta.kubernetes.io/class": 5 } } },
        ['error annotation-type metadata.annotations["service.beta.kubernetes.io/class"]'],
    ],
    ["an empty mark", { metadata: { annotations: { "service.beta.kubernetes.io/class": "" } } }, []],
    [
        "the annotation of a tunnel, whatever its value",
        { metadata: { annotations: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-tunnel-type": "" } } },
        [
            "warning service-class " +
                'metadata.annotations["service.beta.kubernetes.io/alibaba-cloud-loadbalancer-tunnel-type"]',
        ],
    ],
    [
        "an NLB by annotation",
        { metadata: { annotations: { ...ZONES, [TYPE]: "nlb" } } },
        [`warning annotation-undocumented metadata.annotations["${TYPE}"]`],
    ],
    [
        "an NLB by annotation, a CLB by class",
        {
            metadata: { annotations: { ...ZONES, [TYPE]: "nlb" } },
            spec: { loadBalancerClass: LOAD_BALANCER_CLASSES.clb },
        },
        [
            "error service-class spec.loadBalancerClass",
            `warning annotation-undocumented metadata.annotations["${TYPE}"]`,
        ],
    ],
    [
        "an NLB by typed setting",
        { metadata: { annotations: ZONES }, typed: { type: "nlb" } },
        ["warning annotation-undocumented settings.type"],
    ],
    ["the class of NLB", { metadata: { annotations: ZONES }, spec: { loadBalancerClass: NLB_CLASS } }, []],
    [
        "our class of NLB",
        { metadata: { annotations: ZONES }, spec: { loadBalancerClass: LOAD_BALANCER_CLASSES.nlb } },
        [],
    ],
    [
        "an NLB without zones",
        { spec: { loadBalancerClass: NLB_CLASS } },
        ["error annotation-companion spec.loadBalancerClass"],
    ],
    [
        "an NLB before Kubernetes had it",
        {
            metadata: { annotations: ZONES },
            spec: { loadBalancerClass: NLB_CLASS },
            facts: { kubernetesVersion: "v1.22.3" },
        },
        ["error service-class spec.loadBalancerClass"],
    ],
    [
        "an NLB just before Kubernetes had it",
        {
            metadata: { annotations: ZONES },
            spec: { loadBalancerClass: NLB_CLASS },
            facts: { kubernetesVersion: "v1.23.17" },
        },
        ["error service-class spec.loadBalancerClass"],
    ],
    [
        "an NLB from the Kubernetes version on that has it",
        {
            metadata: { annotations: ZONES },
            spec: { loadBalancerClass: NLB_CLASS },
            facts: { kubernetesVersion: "v1.24.0" },
        },
        [],
    ],
    [
        "an NLB before the Cloud Controller Manager had it",
        {
            metadata: { annotations: ZONES },
            spec: { loadBalancerClass: NLB_CLASS },
            facts: { compatibility: "v2.4.9" },
        },
        [
            "error service-class spec.loadBalancerClass",
            `error annotation-version metadata.annotations["${Object.keys(ZONES).join()}"]`,
        ],
    ],
    [
        "an NLB from the Cloud Controller Manager version on that has it",
        {
            metadata: { annotations: ZONES },
            spec: { loadBalancerClass: NLB_CLASS },
            facts: { compatibility: "v2.5.0" },
        },
        [],
    ],
    [
        "an annotation of an NLB on a CLB",
        { metadata: { annotations: ZONES } },
        [
            "warning annotation-scope " +
                'metadata.annotations["service.beta.kubernetes.io/alibaba-cloud-loadbalancer-zone-maps"]',
        ],
    ],
    [
        "an annotation of a CLB on an NLB",
        {
            metadata: {
                annotations: { ...ZONES, "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-hostname": "a b" },
            },
            spec: { loadBalancerClass: NLB_CLASS },
        },
        [
            "warning annotation-scope " +
                'metadata.annotations["service.beta.kubernetes.io/alibaba-cloud-loadbalancer-hostname"]',
        ],
    ],
    [
        "an NLB with an IPv6 range",
        {
            metadata: { annotations: ZONES },
            spec: { loadBalancerClass: NLB_CLASS, loadBalancerSourceRanges: ["10.0.0.0/8", "2001:db8::/32"] },
        },
        ["warning service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "an NLB with IPv6 ranges only",
        {
            metadata: { annotations: ZONES },
            spec: { loadBalancerClass: NLB_CLASS, loadBalancerSourceRanges: ["::/0"] },
        },
        ["warning service-field spec.loadBalancerSourceRanges", "warning service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "an NLB of both IP versions with ranges of one",
        {
            metadata: {
                annotations: {
                    ...ZONES,
                    "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-ip-version": "DualStack",
                },
            },
            spec: { loadBalancerClass: NLB_CLASS, loadBalancerSourceRanges: ["0.0.0.0/0"] },
            facts: { kubeProxyMode: "ipvs" },
        },
        ["warning service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "a reused NLB with a range",
        {
            metadata: { annotations: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-id": "nlb-1" } },
            spec: { loadBalancerClass: NLB_CLASS, loadBalancerSourceRanges: ["10.0.0.0/8"] },
        },
        ["error service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "an NLB with a range that is none",
        {
            metadata: { annotations: ZONES },
            spec: { loadBalancerClass: NLB_CLASS, loadBalancerSourceRanges: ["10.0.0.0"] },
        },
        ["error service-field spec.loadBalancerSourceRanges[0]"],
    ],
    [
        "the class of another controller",
        { spec: { loadBalancerClass: "example.com/lb" } },
        ["warning service-class spec.loadBalancerClass"],
    ],
    [
        "a class under this package's prefix",
        { spec: { loadBalancerClass: "ack-loadbalancer.io/cbl" } },
        ["error service-class spec.loadBalancerClass"],
    ],
    [
        "mistakes in settings of another controller",
        {
            metadata: { annotations: { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-id": "lb-1,lb-2" } },
            spec: { loadBalancerClass: "alibabacloud.com/elb", externalTrafficPolicy: "Local" },
        },
        ["warning service-class spec.loadBalancerClass"],
    ],
    ["source ranges", { spec: { loadBalancerSourceRanges: ["10.0.0.0/8", " 192.168.0.0/16 "] } }, []],
    [
        "a source range of another IP version",
        { spec: { loadBalancerSourceRanges: ["10.0.0.0/8", "2001:db8::/32"] } },
        ["warning service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "source ranges of another IP version only",
        { spec: { loadBalancerSourceRanges: ["2001:db8::/32"] } },
        ["error service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "source ranges beside an access control list",
        {
            spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] },
            typed: { aclStatus: "on", aclId: "acl-1", aclType: "white" },
        },
        ["error service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "source ranges beside an access control list that is off",
        { spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] }, typed: { aclStatus: "off" } },
        [],
    ],
    [
        "source ranges on an existing instance whose listeners are not managed",
        { spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] }, typed: { id: "lb-1" } },
        ["error service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "source ranges on an existing instance whose listeners are managed",
        {
            spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] },
            typed: { id: "lb-1", forceOverrideListeners: "true" },
        },
        [],
    ],
    [
        "source ranges that are none",
        { spec: { loadBalancerSourceRanges: ["10.0.0.1", "10.0.0.0/33", "x/8"] } },
        [
            "error service-field spec.loadBalancerSourceRanges[0]",
            "error service-field spec.loadBalancerSourceRanges[1]",
            "error service-field spec.loadBalancerSourceRanges[2]",
        ],
    ],
    [
        "more source ranges than a list holds",
        { spec: { loadBalancerSourceRanges: Array.from({ length: 301 }, (_, n) => `10.0.${n >> 8}.${n & 255}/32`) } },
        ["error service-field spec.loadBalancerSourceRanges"],
    ],
    [
        "source ranges that are no list",
        { spec: { loadBalancerSourceRanges: "10.0.0.0/8" } },
        ["error service-field spec.loadBalancerSourceRanges"],
    ],
    ["another type", { spec: { type: "NodePort" } }, ["warning service-type spec.type"]],
    [
        "a headless Service",
        { spec: { type: undefined, clusterIP: "None", ports: undefined, selector: undefined } },
        ["warning service-type spec.type"],
    ],
    ["an ExternalName", { spec: { type: "ExternalName", ports: undefined } }, ["warning service-type spec.type"]],
    [
        "a fragment",
        { spec: { type: undefined, ports: undefined, selector: undefined } },
        ["warning service-type spec.type", "error service-port spec.ports"],
    ],
    ["a version that is none", { facts: { compatibility: "latest" } }, ["error cluster-facts compatibility"]],
    [
        "facts that cannot be",
        { facts: { kubernetesVersion: "x", createdAt: "yesterday", nodePortRange: { from: 5, to: 1 } } },
        ["error cluster-facts kubernetesVersion", "error cluster-facts createdAt", "error cluster-facts nodePortRange"],
    ],
    [
        "a network plug-in and a type of cluster that are none",
        { facts: { networkPlugin: "flanel" as "flannel", clusterType: "serverless" as "edge" } },
        ["error cluster-facts clusterType", "error cluster-facts networkPlugin"],
    ],
    [
        "an edge cluster with the plug-in of the cloud",
        { facts: { networkPlugin: "terway", clusterType: "edge" } },
        ["error cluster-facts networkPlugin"],
    ],
    ["an edge cluster with Terway Edge", { facts: { networkPlugin: "terway-edge", clusterType: "edge" } }, []],
    ["an edge cluster with Flannel", { facts: { networkPlugin: "flannel", clusterType: "edge" } }, []],
    ["an edge cluster of which no more is known", { facts: { clusterType: "edge" } }, []],
    [
        "a group of addresses without a class or zones of an NLB",
        { typed: { serverGroupType: "Ip" } },
        ["warning annotation-scope settings.serverGroupType"],
    ],
    ["a typed setting out of range", { typed: { idleTimeout: 99 } }, ["error annotation-value settings.idleTimeout"]],
    [
        "bad ports do not hide bad annotations",
        { spec: { ports: [{ port: 0 }] }, typed: { bandwidth: 5, protocolPort: [{ protocol: "http", port: 80 }] } },
        ["error service-port spec.ports[0].port", "error annotation-companion settings.bandwidth"],
    ],
];

for (const [name, change, expected] of problems) {
    test(`parse: ${name}`, () => {
        expect(codes(change)).toStrictEqual(expected);
        const { service, diagnostics } = parse(change);
        const creates = diagnostics.every(
            (diagnostic) =>
                diagnostic.severity === "warning" && !["service-type", "service-class"].includes(diagnostic.code),
        );
        expect(service !== undefined).toBe(creates);
    });
}

test("idle annotations of other Services are mentioned", () => {
    const annotations = { "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-spec": "slb.s1.small" };
    expect(parse({ metadata: { annotations }, spec: { type: "NodePort" } }).diagnostics[0]?.cause ?? "").toMatch(
        /annotations have no effect/,
    );
    expect(parse({ spec: { type: "NodePort" } }).diagnostics[0]?.cause ?? "").not.toMatch(/annotations/);
});

test("diagnostics come in the order of the file, with positions of keys and values", () => {
    const [document] = readManifests(
        `apiVersion: v1
kind: Service
metadata:
  name: web
  annotations:
    service.beta.kubernetes.io/alibaba-cloud-loadbalancer-bandwith: "5"
    service.beta.kubernetes.io/alicloud-loadbalancer-scheduler: "least"
    service.beta.kubernetes.io/alibaba-cloud-loadbalancer-delete-protection: off
spec:
  type: LoadBalancer
  selector: {app: web}
  ports:
  - port: 0
`,
        "web.yaml",
    ).services;
    const problems = parseService(found(document, "the Service"), facts).diagnostics.map(
        (diagnostic) =>
            `${diagnostic.place.position?.file}:${diagnostic.place.position?.line}:${diagnostic.place.position?.col} ` +
            `${diagnostic.code} ${diagnostic.remedy}`,
    );
    expect(problems).toStrictEqual([
        "web.yaml:6:5 annotation-unknown did you mean " +
            '"service.beta.kubernetes.io/alibaba-cloud-loadbalancer-bandwidth"?',
        "web.yaml:7:5 annotation-legacy rename the key",
        'web.yaml:7:65 annotation-value write "rr" or "wrr" or "sch" or "tch"',
        'web.yaml:8:78 annotation-type quote it: "off"',
        "web.yaml:13:11 service-port write a whole number from 1 to 65535, unquoted",
    ]);
});

test("a label without quotes is to be quoted as it was written", () => {
    const [document] = readManifests(
        `apiVersion: v1
kind: Service
metadata: {name: web, labels: {version: 1.10}}
spec: {type: LoadBalancer, selector: {app: on, tier: 010, none: ~}, ports: [{port: 80}]}
`,
    ).services;
    const { diagnostics } = parseService(found(document, "the Service"), facts);
    expect(diagnostics.map(({ remedy }) => remedy)).toStrictEqual([
        'quote it: "1.10"',
        'quote it: "on"',
        'quote it: "010"',
        "write a string",
    ]);
});

/** An object that cannot become a text by itself. */
const TEXTLESS = { toString: 1, valueOf: 1 };

const BAD_METADATA: readonly [what: string, change: Change, path: string, cause: RegExp, remedy: RegExp][] = [
    [
        "finalizers that are no list",
        { metadata: { finalizers: "a" } },
        "metadata.finalizers",
        /list of strings/,
        /\["…"\]/,
    ],
    [
        "a finalizer that is no text",
        { metadata: { finalizers: [TEXTLESS] } },
        "metadata.finalizers[0]",
        /a string/,
        /write a string/,
    ],
    ["labels that are no mapping", { metadata: { labels: ["a"] } }, "metadata.labels", /a mapping/, /key: value/],
    [
        "a label that is a number",
        { metadata: { labels: { tier: 1 } } },
        "metadata.labels.tier",
        /a string/,
        /quote it: "1"/,
    ],
    [
        "a label that is an object",
        { metadata: { labels: { tier: TEXTLESS } } },
        "metadata.labels.tier",
        /a string/,
        /write a string/,
    ],
    [
        "a selector with an object",
        { spec: { selector: { app: TEXTLESS } } },
        "spec.selector.app",
        /a string/,
        /write a string/,
    ],
    [
        "annotations that are a list",
        { metadata: { annotations: ["a"] } },
        "metadata.annotations",
        /a mapping/,
        /key: value/,
    ],
];

for (const [what, change, path, cause, remedy] of BAD_METADATA) {
    test(`${what}: one error with place, cause and remedy`, () => {
        const { service, diagnostics } = parse(change);
        expect(service).toBeUndefined();
        expect(
            diagnostics.map(({ code, severity, place }) => [code, severity, formatPath(place.path ?? [])]),
        ).toStrictEqual([["service-field", "error", path]]);
        expect(diagnostics[0]?.cause ?? "").toMatch(cause);
        expect(diagnostics[0]?.remedy ?? "").toMatch(remedy);
    });
}

test("parsing never throws, whatever the object", () => {
    const json = fc.oneof(fc.jsonValue(), fc.constant(TEXTLESS), fc.constant([TEXTLESS]), fc.constant({ a: TEXTLESS }));
    const shaped = fc.record({
        apiVersion: fc.constant("v1"),
        kind: fc.constant("Service"),
        metadata: fc.oneof(json, fc.record({ name: json, labels: json, annotations: json, finalizers: json })),
        spec: fc.oneof(
            json,
            fc.record({
                type: fc.constant("LoadBalancer"),
                selector: json,
                ports: fc.oneof(
                    json,
                    fc.array(fc.record({ name: json, port: json, targetPort: json, nodePort: json, protocol: json })),
                ),
                loadBalancerSourceRanges: json,
            }),
        ),
    });
    fc.assert(
        fc.property(fc.oneof(json, shaped), (value) => {
            const { service, diagnostics } = parseService(documentOf(value), facts);
            expect(service !== undefined || diagnostics.length > 0).toBe(true);
        }),
        { numRuns: 1000 },
    );
});
