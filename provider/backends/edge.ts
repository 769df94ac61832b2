import { type BackendCode, diagnostic, type Diagnostic } from "../diagnostics";
import type { ClusterFacts } from "../schema/facts";
import { edgeDocument } from "../schema/documents";
import { backendTypeOf } from "../service/annotations";
import type { Service } from "../service/service";
import type { ClusterView } from "./endpoints";
import { isEdgeNode, nodeRole } from "./nodes";

/** Most names in one sentence; the others are counted. */
const MAX_NAMES = 5;

/** Connection that no program can see. Source: "Use LoadBalancer Services … in ACK Edge clusters", prerequisites. */
const LINK = "an Express Connect circuit between cloud and edge";

/**
 * Checks a Service whose pods run at the edge. Edge nodes are outside the VPC: ECS instances forward to their pods.
 * `externalTrafficPolicy: Local` admits only nodes that run a pod, which no ECS instance does, and is refused.
 * Pods that are not ready yet count too; terminating pods do not.
 * Source: "Use LoadBalancer Services to expose applications in ACK Edge clusters".
 */
export function checkEdgeNodes(service: Service, facts: ClusterFacts, view: ClusterView): Diagnostic<BackendCode>[] {
    const viaNodes = backendTypeOf(service.settings, facts) === "ecs";
    const atEdge = new Set(view.nodes.filter(isEdgeNode).map(({ metadata }) => metadata.name));
    const used = nodesOfPods(view).filter((name) => atEdge.has(name));
    const local = viaNodes && used.length > 0 && service.externalTrafficPolicy === "Local";

    return [
        ...(local ? [unreachable(used)] : []),
        ...(used.length > 0 && !local && facts.edgeLink !== true ? [linkNeeded(used, viaNodes)] : []),
        ...(viaNodes ? skipped(service, view) : []),
    ];
}

function unreachable(nodes: readonly string[]): Diagnostic<BackendCode> {
    return diagnostic({
        code: "edge-unreachable",
        severity: "error",
        about: {},
        cause:
            `pods at the edge (${list(nodes)}) cannot be reached with externalTrafficPolicy Local: it leaves out ` +
            "the ECS instances that forward to them, for none of those runs one of the pods",
        remedy:
            "set externalTrafficPolicy to Cluster; or keep the pods in the cloud " +
            '(nodeSelector alibabacloud.com/is-edge-worker: "false"); ' +
            "or reach them by address, by an NLB with backend-type eni and server-group-type Ip",
        source: edgeDocument("Expose edge pods via ECS forwarding"),
    });
}

function linkNeeded(nodes: readonly string[], viaNodes: boolean): Diagnostic<BackendCode> {
    const needs = viaNodes ? `ECS instances that forward to them, and ${LINK}` : LINK;
    return diagnostic({
        code: "edge-link",
        severity: "warning",
        about: {},
        cause: `pods at the edge (${list(nodes)}) need ${needs}, which cannot be looked up`,
        remedy: "make sure of it, and say so with edgeLink: true in what is known of the cluster",
        source: edgeDocument("Prerequisites"),
    });
}

function skipped({ settings }: Service, { nodes }: ClusterView): Diagnostic<BackendCode>[] {
    const outside = nodes.filter((node) => {
        const role = nodeRole(node, settings);
        return role.kind === "excluded" && role.outside === true;
    });
    if (outside.length === 0) return [];
    const names = list(outside.map(({ metadata }) => metadata.name));
    const cause = `without an ECS instance in the cluster's VPC, and so never backends: ${names}`;
    return [{ code: "edge-nodes-skipped", severity: "info", place: {}, cause }];
}

function nodesOfPods({ endpointSlices }: ClusterView): string[] {
    const endpoints = endpointSlices.flatMap((slice) => slice.endpoints ?? []);
    const present = endpoints.filter(({ conditions }) => conditions?.terminating !== true);
    return [...new Set(present.flatMap(({ nodeName }) => nodeName ?? []))];
}

function list(names: readonly string[]): string {
    const rest = names.length - MAX_NAMES;
    const first = names.toSorted().slice(0, MAX_NAMES).join(", ");
    return `node${names.length === 1 ? "" : "s"} ${first}${rest > 0 ? ` and ${rest} more` : ""}`;
}
