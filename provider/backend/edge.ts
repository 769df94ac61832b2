import { diagnostic, type BackendCode, type Diagnostic } from "../diagnostics";
import { edgeDocument } from "../schema/documents";
import { backendTypeOf } from "../annotations";
import type { ClusterFacts } from "../schema/facts";
import type { Service } from "../kubernetes/service/service";
import type { ClusterView } from "./view";
import { isEdgeNode, nodeRole } from "./nodes";

/** Names in one sentence; more of them are counted. */
const NAMED = 5;

/** What has to be there, and no program can see. Source: "Use LoadBalancer Services to expose applications in ACK Edge clusters", prerequisites. */
const LINK = "an Express Connect circuit between cloud and edge";

/**
 * Judges a Service by where its pods run.
 *
 * Nodes at the edge have no place in the VPC, so that a load balancer sends to ECS instances, which forward to pods at the edge. With `externalTrafficPolicy: Local` only
 * nodes that run a pod take traffic, and no ECS instance runs one of those: refused. Pods that do not serve yet count too; pods that are going do not.
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
        cause: `pods at the edge (${list(nodes)}) cannot be reached with externalTrafficPolicy Local: it leaves out the ECS instances that forward to them, for none of those runs one of the pods`,
        remedy:
            'set externalTrafficPolicy to Cluster; or keep the pods in the cloud (nodeSelector alibabacloud.com/is-edge-worker: "false"); ' +
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
    const names = list(outside.map(({ metadata }) => metadata.name));
    const cause = `without an ECS instance in the cluster's VPC, and so never backends: ${names}`;
    return outside.length === 0 ? [] : [{ code: "edge-nodes-skipped", severity: "info", place: {}, cause }];
}

function nodesOfPods({ endpointSlices }: ClusterView): string[] {
    const endpoints = endpointSlices
        .flatMap((slice) => slice.endpoints ?? [])
        .filter(({ conditions }) => conditions?.terminating !== true);
    return [...new Set(endpoints.flatMap(({ nodeName }) => nodeName ?? []))];
}

function list(names: readonly string[]): string {
    const sorted = [...names].sort();
    const rest = sorted.length - NAMED;
    return `node${names.length === 1 ? "" : "s"} ${sorted.slice(0, NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
