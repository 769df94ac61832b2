import { EDGE_LABELS, ENS_LABEL } from "../kubernetes/edge-labels";
import type { NodeObject } from "../kubernetes/types";
import type { Settings } from "../schema/settings";
import { formatBackendKey } from "./key";

/** Why a node cannot be a backend, or what it is as one. */
export type NodeRole =
    /** `key` names it among the backends of a group. */
    | { readonly kind: "backend"; readonly key: string }
    /** Pods on a virtual node are attached directly, whatever the backend type. */
    | { readonly kind: "virtual" }
    /** `outside`: it is no server of the cluster's VPC, and never will be. */
    | { readonly kind: "excluded"; readonly reason: string; readonly outside?: true };

/** Control-plane nodes carry one of these. Source: "Notes on service load balancing configuration", master nodes are never added. */
const MASTER_LABELS = ["node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"];

/** Labels, by mere presence, that keep a node out of every load balancer. Source: Kubernetes well-known labels and CCM's own. */
const EXCLUDE_LABELS = [
    "node.kubernetes.io/exclude-from-external-load-balancers",
    "alpha.service-controller.kubernetes.io/exclude-balancer",
    "service.beta.kubernetes.io/exclude-node",
    "service.alibabacloud.com/exclude-node",
];

const AUTOSCALER_TAINT = "ToBeDeletedByClusterAutoscaler";

/** Decides what a node is for a Service's ecs backends. Pure; the order of the checks is the order in which a person would ask. */
export function nodeRole(
    node: NodeObject,
    settings: Pick<Settings, "backendLabel" | "removeUnscheduledBackend">,
): NodeRole {
    const labels = node.metadata.labels ?? {};
    const missing = Object.entries(settings.backendLabel ?? {}).find(([key, value]) => labels[key] !== value);
    if (missing) {
        return excluded(`it has no label ${missing[0]}=${missing[1]} (backend-label)`);
    }
    const master = MASTER_LABELS.find((label) => label in labels);
    if (master) {
        return excluded(`it is a control-plane node (label ${master})`);
    }
    if (node.spec?.taints?.some((taint) => taint.key === AUTOSCALER_TAINT)) {
        return excluded("the cluster autoscaler is about to remove it");
    }
    if (node.spec?.unschedulable && settings.removeUnscheduledBackend === "on") {
        return excluded("it is cordoned (remove-unscheduled-backend)");
    }
    // Its exclude label keeps a virtual node itself out, which is no server; its pods are servers of their own.
    if (labels["type"] === "virtual-kubelet") {
        return { kind: "virtual" };
    }
    const label = EXCLUDE_LABELS.find((name) => name in labels);
    if (label) {
        return excluded(`it carries the label ${label}`);
    }
    const edge = edgeSign(node);
    if (edge !== undefined) {
        return { ...excluded(`it is at the edge (${edge})`), outside: true };
    }
    if (!isReady(node)) {
        return excluded("it is not ready");
    }
    return serverRole(node.spec?.providerID);
}

/**
 * Whether a node is at the edge: an instance of Edge Node Service, or a machine in another place. Its providerID alone does not tell, since servers of other
 * regions and VPCs can be edge nodes as well.
 */
export const isEdgeNode = (node: NodeObject): boolean => edgeSign(node) !== undefined;

/** By what a node is known to be at the edge. */
function edgeSign({ metadata: { labels = {} }, spec }: NodeObject): string | undefined {
    const label = EDGE_LABELS.find((name) => labels[name] === "true");
    if (label !== undefined) {
        return `label ${label}`;
    }
    if (ENS_LABEL in labels) {
        return `label ${ENS_LABEL}`;
    }
    return /(^|[^a-z0-9])ens[-:.]/.test(spec?.providerID ?? "") ? `providerID ${spec?.providerID ?? ""}` : undefined;
}

function excluded(reason: string): Extract<NodeRole, { kind: "excluded" }> {
    return { kind: "excluded", reason };
}

/** No conditions at all means that the kubelet has never reported; conditions without Ready are taken as CCM takes them: ready. */
function isReady(node: NodeObject): boolean {
    const conditions = node.status?.conditions ?? [];
    const ready = conditions.find((condition) => condition.type === "Ready");
    return conditions.length > 0 && (ready === undefined || ready.status === "True");
}

/** The same for a group of addresses: a node is a member by its own one. Only nodes that could be members by their instance are: others, at the edge, pass nothing on. */
export function addressRole(
    node: NodeObject,
    settings: Pick<Settings, "backendLabel" | "removeUnscheduledBackend">,
): NodeRole {
    const role = nodeRole(node, settings);
    const address = node.status?.addresses?.find(
        ({ type, address: text }) => type === "InternalIP" && !text.includes(":"),
    )?.address;
    if (role.kind !== "backend") {
        return role;
    }
    return address === undefined
        ? excluded("it has no IPv4 address of type InternalIP")
        : { kind: "backend", key: formatBackendKey({ kind: "eni", ip: address }) };
}

/** `cn-hangzhou.i-abc` or `alicloud://cn-hangzhou.i-abc`. Hybrid nodes (`ack-hybrid://…`) and others without an ECS instance cannot be backends. */
function serverRole(providerId: string | undefined): NodeRole {
    const server = /^(?:alicloud:\/\/)?[a-z0-9-]+\.(i-[\w-]+)$/.exec(providerId ?? "");
    return server?.[1]
        ? { kind: "backend", key: formatBackendKey({ kind: "ecs", serverId: server[1] }) }
        : { ...excluded(`its providerID "${providerId ?? ""}" names no ECS instance`), outside: true };
}
