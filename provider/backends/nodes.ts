import { type BackendCode, diagnostic, type Diagnostic } from "../diagnostics";
import { formatBackendKey } from "../schema/backend";
import { edgeDocument } from "../schema/documents";
import type { ClusterFacts } from "../schema/facts";
import type { Settings } from "../schema/settings";
import { backendTypeOf } from "../service/annotations";
import { EDGE_LABELS, ENS_LABEL, type NodeObject } from "../service/objects";
import type { Service } from "../service/service";
import type { ClusterView } from "./endpoints";

/** Role of a node for the ecs backends of a Service. */
export type NodeRole =
    /** `key` is its key among the backends of a group. */
    | { readonly kind: "backend"; readonly key: string }
    /** Pods on a virtual node are attached directly, with any backend type. */
    | { readonly kind: "virtual" }
    /** `outside`: the node can never be a server of the cluster's VPC. */
    | { readonly kind: "excluded"; readonly reason: string; readonly outside?: true };

/** Labels of control-plane nodes. Source: "Notes on service load balancing configuration", master nodes. */
const MASTER_LABELS = ["node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"];

/** Labels that exclude a node from every load balancer. Source: Kubernetes well-known labels, and CCM. */
const EXCLUDE_LABELS = [
    "node.kubernetes.io/exclude-from-external-load-balancers",
    "alpha.service-controller.kubernetes.io/exclude-balancer",
    "service.beta.kubernetes.io/exclude-node",
    "service.alibabacloud.com/exclude-node",
];

const AUTOSCALER_TAINT = "ToBeDeletedByClusterAutoscaler";

type NodeSettings = Pick<Settings, "backendLabel" | "removeUnscheduledBackend">;

/** Returns the role of a node. The checks are ordered by how useful their reason is to the user. */
export function nodeRole(node: NodeObject, settings: NodeSettings): NodeRole {
    const labels = node.metadata.labels ?? {};
    const missing = Object.entries(settings.backendLabel ?? {}).find(([key, value]) => labels[key] !== value);
    if (missing) return excluded(`it has no label ${missing[0]}=${missing[1]} (backend-label)`);
    const master = MASTER_LABELS.find((label) => label in labels);
    if (master) return excluded(`it is a control-plane node (label ${master})`);
    if (node.spec?.taints?.some(({ key }) => key === AUTOSCALER_TAINT))
        return excluded("the cluster autoscaler is about to remove it");
    if (node.spec?.unschedulable && settings.removeUnscheduledBackend === "on")
        return excluded("it is cordoned (remove-unscheduled-backend)");
    // The exclude label of a virtual node excludes the node itself, which is no server, but not its pods.
    if (isVirtualNode(node)) return { kind: "virtual" };
    const label = EXCLUDE_LABELS.find((name) => name in labels);
    if (label) return excluded(`it carries the label ${label}`);
    const edge = edgeSign(node);
    if (edge !== undefined) return { ...excluded(`it is at the edge (${edge})`), outside: true };
    return isReady(node) ? serverRole(node.spec?.providerID) : excluded("it is not ready");
}

/** Returns the role of a node in a group of addresses. A node without an ECS instance passes no traffic on. */
export function addressRole(node: NodeObject, settings: NodeSettings): NodeRole {
    const role = nodeRole(node, settings);
    if (role.kind !== "backend") return role;
    const internal = node.status?.addresses?.find(
        ({ type, address }) => type === "InternalIP" && !address.includes(":"),
    );
    return internal === undefined
        ? excluded("it has no IPv4 address of type InternalIP")
        : { kind: "backend", key: formatBackendKey({ address: internal.address }) };
}

/** True for a node whose pods run outside of it, and are attached directly. */
export const isVirtualNode = ({ metadata }: NodeObject): boolean => metadata.labels?.["type"] === "virtual-kubelet";

/** True for an instance of Edge Node Service and for a machine outside the cloud. */
export const isEdgeNode = (node: NodeObject): boolean => edgeSign(node) !== undefined;

/** The providerID alone does not tell: servers of other regions and VPCs can be edge nodes too. */
function edgeSign({ metadata: { labels = {} }, spec: { providerID = "" } = {} }: NodeObject): string | undefined {
    const label = EDGE_LABELS.find((name) => labels[name] === "true") ?? (ENS_LABEL in labels ? ENS_LABEL : undefined);
    if (label !== undefined) return `label ${label}`;
    return /(^|[^a-z0-9])ens[-:.]/.test(providerID) ? `providerID ${providerID}` : undefined;
}

const excluded = (reason: string) => ({ kind: "excluded", reason }) as const;

/** As in CCM, a node whose conditions lack Ready is ready. A node without conditions has never reported. */
function isReady({ status }: NodeObject): boolean {
    const conditions = status?.conditions ?? [];
    const ready = conditions.find(({ type }) => type === "Ready");
    return conditions.length > 0 && (ready === undefined || ready.status === "True");
}

/** `cn-hangzhou.i-abc` or `alicloud://cn-hangzhou.i-abc`. Hybrid nodes (`ack-hybrid://…`) are no ECS instances. */
function serverRole(providerId = ""): NodeRole {
    const server = /^(?:alicloud:\/\/)?[a-z0-9-]+\.(i-[\w-]+)$/.exec(providerId);
    return server?.[1]
        ? { kind: "backend", key: server[1] }
        : { ...excluded(`its providerID "${providerId}" names no ECS instance`), outside: true };
}

/** Label of the nodes of an ACK cluster, with its id. */
const CLUSTER_LABEL = "ack.aliyun.com";

const REGION_LABEL = "topology.kubernetes.io/region";

const labelsOf = (nodes: readonly NodeObject[], label: string): readonly string[] => [
    ...new Set(nodes.flatMap(({ metadata }) => metadata.labels?.[label] ?? [])),
];

export const clusterIdsOf = (nodes: readonly NodeObject[]): readonly string[] => labelsOf(nodes, CLUSTER_LABEL);

/** Returns the regions of nodes in the cloud. Nodes at the edge may be in others. */
export const regionsOf = (nodes: readonly NodeObject[]): readonly string[] =>
    labelsOf(
        nodes.filter((node) => !isEdgeNode(node)),
        REGION_LABEL,
    );

/** Most names in a sentence. The others are counted. */
const MAX_NAMES = 5;

/** Connection that no program can see. Source: "Use LoadBalancer Services … in ACK Edge clusters", prerequisites. */
const LINK = "an Express Connect circuit between cloud and edge";

/**
 * Checks a Service whose pods run at the edge. Edge nodes are outside the VPC: ECS instances forward to their pods.
 * `externalTrafficPolicy: Local` admits only nodes that run a pod, which no ECS instance does, and is refused. Pods
 * that are not ready yet count too, but terminating pods do not. Source: "Use LoadBalancer Services to expose
 * applications in ACK Edge clusters".
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
