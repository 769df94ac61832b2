/** Requirements: H04, H05, I45. */
import { expect, test } from "@jest/globals";
import type { EndpointSliceObject, NodeObject } from "../service/objects";
import { documentOf } from "../service/manifests";
import type { ClusterFacts } from "../schema/facts";
import { parseService } from "../service/service";
import { formatSentences, type Severity } from "../diagnostics";
import { checkEdgeNodes } from "./index";
import { found } from "../../test/support/found";

const FACTS: ClusterFacts = { clusterId: "c1", clusterType: "edge", networkPlugin: "terway-edge" };

const node = (name: string, providerID: string, labels: Record<string, string> = {}): NodeObject => ({
    metadata: { name, labels },
    spec: { providerID },
    status: { conditions: [{ type: "Ready", status: "True" }] },
});
const EDGE_LABEL = { "alibabacloud.com/is-edge-worker": "true" };
const NODES = [
    node("cloud", "cn-hangzhou.i-cloud", { "alibabacloud.com/is-edge-worker": "false" }),
    node("edge", "", EDGE_LABEL),
];

/** Diagnostics by severity: errors and warnings as people read them, the rest by its cause. */
interface Report {
    readonly errors: readonly string[];
    readonly warnings: readonly string[];
    readonly infos: readonly string[];
}

interface Endpoint {
    readonly on?: string;
    readonly ready?: boolean;
    readonly terminating?: boolean;
}

function judge(
    policy: "Cluster" | "Local",
    endpoints: readonly Endpoint[],
    more: {
        nodes?: readonly NodeObject[];
        annotations?: Record<string, string>;
        facts?: Partial<ClusterFacts>;
        loadBalancerClass?: string;
    } = {},
): Report {
    const facts = { ...FACTS, ...more.facts };
    const annotations = Object.fromEntries(
        Object.entries(more.annotations ?? {}).map(([key, value]) => [`service.beta.kubernetes.io/${key}`, value]),
    );
    const { service, diagnostics } = parseService(
        documentOf({
            apiVersion: "v1",
            kind: "Service",
            metadata: { name: "web", namespace: "shop", annotations },
            spec: {
                type: "LoadBalancer",
                externalTrafficPolicy: policy,
                selector: { app: "web" },
                ports: [{ port: 80, targetPort: 8080 }],
                ...(more.loadBalancerClass === undefined ? {} : { loadBalancerClass: more.loadBalancerClass }),
            },
        }),
        facts,
    );
    const subject = found(service, JSON.stringify(diagnostics));
    const slice: EndpointSliceObject = {
        metadata: { name: "web-1", namespace: "shop" },
        addressType: "IPv4",
        ports: [{ port: 8080, protocol: "TCP" }],
        endpoints: endpoints.map(({ on, ready, terminating }, index) => ({
            addresses: [`10.0.0.${index + 1}`],
            conditions: { ready: ready ?? true, terminating: terminating ?? false },
            ...(on === undefined ? {} : { nodeName: on }),
        })),
    };
    const notes = checkEdgeNodes(subject, facts, { nodes: more.nodes ?? NODES, endpointSlices: [slice] });
    const of = (severity: Severity) => notes.filter((diagnostic) => diagnostic.severity === severity);
    return {
        errors: of("error").map(formatSentences),
        warnings: of("warning").map(formatSentences),
        infos: of("info").map(({ cause }) => cause),
    };
}

test("edge: pods at the edge with Local are refused, with cause, remedy and source", () => {
    const { errors, warnings } = judge("Local", [{ on: "edge" }]);
    expect(errors).toHaveLength(1);
    expect(errors[0] ?? "").toMatch(
        /^pods at the edge \(node edge\) cannot be reached with externalTrafficPolicy Local: .* Remedy: set externalTrafficPolicy to Cluster.* Source: Use LoadBalancer Services/,
    );
    expect(warnings).toStrictEqual([]);
});

test("edge: one pod at the edge among others is refused too, also if it does not serve yet", () => {
    expect(judge("Local", [{ on: "cloud" }, { on: "edge", ready: false }]).errors).toHaveLength(1);
});

const ACCEPTED: readonly [string, Report][] = [
    ["Cluster", judge("Cluster", [{ on: "edge" }])],
    ["Local with pods in the cloud", judge("Local", [{ on: "cloud" }])],
    ["a pod at the edge that is going", judge("Local", [{ on: "cloud" }, { on: "edge", terminating: true }])],
    ["endpoints without a node, or on one that is not known", judge("Local", [{}, { on: "gone" }])],
    [
        "a hybrid node, which is none of an edge cluster",
        judge("Local", [{ on: "hybrid" }], { nodes: [node("hybrid", "ack-hybrid://abc")] }),
    ],
    ["no pods", judge("Local", [])],
    [
        "pods as backends",
        judge("Local", [{ on: "edge" }], {
            annotations: {
                "backend-type": "eni",
                "alibaba-cloud-loadbalancer-server-group-type": "Ip",
                "alibaba-cloud-loadbalancer-zone-maps": "cn-hangzhou-a:vsw-a,cn-hangzhou-b:vsw-b",
            },
            loadBalancerClass: "alibabacloud.com/nlb",
        }),
    ],
];

for (const [what, report] of ACCEPTED) {
    test(`edge: not refused: ${what}`, () => expect(report.errors).toStrictEqual([]));
}

test("edge: what cannot be looked up is said, until it is acknowledged", () => {
    expect(judge("Cluster", [{ on: "edge" }]).warnings.join()).toMatch(
        /need ECS instances that forward to them, and an Express Connect circuit .*Remedy: .*edgeLink: true/,
    );
    expect(judge("Cluster", [{ on: "edge" }], { facts: { edgeLink: true } }).warnings).toStrictEqual([]);
    expect(judge("Cluster", [{ on: "cloud" }]).warnings).toStrictEqual([]);
});

test("edge: nodes that are never backends are named, a few of many", () => {
    const machines = ["f", "e", "d", "c", "b", "a"].map((name) => node(name, `ens-${name}`));
    expect(
        judge("Cluster", [], { nodes: [...NODES, ...machines, node("hybrid", "ack-hybrid://abc")] }).infos,
    ).toStrictEqual([
        "without an ECS instance in the cluster's VPC, and so never backends: nodes a, b, c, d, e and 3 more",
    ]);
    expect(judge("Cluster", [], { nodes: NODES.slice(0, 1) }).infos).toStrictEqual([]);
});
