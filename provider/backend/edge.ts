import { edgeDocument } from "../schema/documents";
import { backendTypeOf } from "../annotations";
import type { ClusterFacts } from "../schema/facts";
import type { Service } from "../kubernetes/service/service";
import type { ClusterView } from "./index";
import { isEdgeNode, nodeRole } from "./nodes";

/** What nodes and pods at the edge mean for a Service. Sentences for people; empty where nothing is at the edge. */
export interface EdgeReport {
    /** What cannot work, with remedy and source. */
    readonly refusals: readonly string[];
    /** What may not work and cannot be looked up. */
    readonly warnings: readonly string[];
    readonly notes: readonly string[];
}

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
export function checkEdgeNodes(service: Service, facts: ClusterFacts, view: ClusterView): EdgeReport {
    const viaNodes = backendTypeOf(service.settings, facts) === "ecs";
    const atEdge = new Set(view.nodes.filter(isEdgeNode).map(({ metadata }) => metadata.name));
    const used = nodesOfPods(view).filter((name) => atEdge.has(name));
    const local = viaNodes && used.length > 0 && service.externalTrafficPolicy === "Local";
    return {
        refusals: local ? [refusal(used)] : [],
        warnings: used.length > 0 && !local && facts.edgeLink !== true ? [reminder(used, viaNodes)] : [],
        notes: viaNodes ? skipped(service, view) : [],
    };
}

function refusal(nodes: readonly string[]): string {
    return (
        `pods at the edge (${list(nodes)}) cannot be reached with externalTrafficPolicy Local: it leaves out the ECS instances that forward to them, for none of those runs one of the pods. ` +
        `Remedy: set externalTrafficPolicy to Cluster; or keep the pods in the cloud (nodeSelector alibabacloud.com/is-edge-worker: "false"); ` +
        `or reach them by address, by an NLB with backend-type eni and server-group-type Ip. Source: ${edgeDocument("Expose edge pods via ECS forwarding")}`
    );
}

function reminder(nodes: readonly string[], viaNodes: boolean): string {
    const needs = viaNodes ? `ECS instances that forward to them, and ${LINK}` : LINK;
    return (
        `pods at the edge (${list(nodes)}) need ${needs}, which cannot be looked up. ` +
        `Remedy: make sure of it, and say so with edgeLink: true in what is known of the cluster. Source: ${edgeDocument("Prerequisites")}`
    );
}

function skipped({ settings }: Service, { nodes }: ClusterView): string[] {
    const outside = nodes.filter((node) => {
        const role = nodeRole(node, settings);
        return role.kind === "excluded" && role.outside === true;
    });
    return outside.length === 0
        ? []
        : [
              `without an ECS instance in the cluster's VPC, and so never backends: ${list(outside.map(({ metadata }) => metadata.name))}`,
          ];
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
