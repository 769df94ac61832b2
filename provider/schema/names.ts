/**
 * Names, descriptions and tags, as the Cloud Controller Manager (CCM) writes them. Ownership is recognised by them, and
 * a Service can move from CCM to this package and back.
 */

import { filtered } from "./defined";
import type { LoadBalancerType } from "./load-balancer-type";
import type { NlbProtocol } from "./protocols";

/** Tag of an instance made for a Service, with {@link defaultLoadBalancerName}. Source: "FAQ about Services". */
export const OWNER_TAG = "kubernetes.do.not.delete";

/** Tag with the cluster id. Source: "Configure CLB using annotations", preserving the CLB instance. */
export const CLUSTER_TAG = "ack.aliyun.com";

/** Tag of a user-managed instance that Services reuse. Source: CCM's own TagResources request. */
export const REUSED_TAG = "kubernetes.reused.by.user";

/**
 * Tags that the cloud sets itself and the plugin does not show. Source: Tag API, TagResources: keys must not start with
 * these.
 */
const SYSTEM_TAG = /^(aliyun|acs:)/i;

/** Returns tags without those of the cloud itself. */
export const userTags = (tags: Readonly<Record<string, string>>): Record<string, string> =>
    filtered(tags, (key) => !SYSTEM_TAG.test(key));

/** Returns the tag of a reused instance with the UID of the cluster that uses the cluster id there. */
export function clusterUidTag(clusterId: string): string {
    return `ack-loadbalancer.io/${clusterId}`;
}

/** Reason that CCM stores with modification protection. Source: CCM's own CreateLoadBalancer request. */
export const PROTECTION_REASON = "managed.by.ack";

/**
 * Returns the default name of an instance and the value of {@link OWNER_TAG}: `a` and the UID of the Service without
 * dashes, cut to 32 characters. Source: "FAQ about Services", the awk line that computes the tag.
 */
export function defaultLoadBalancerName(uid: string): string {
    return `a${uid.replaceAll("-", "")}`.slice(0, 32);
}

/** Identity of a Service, unique across clusters that share an instance. */
export interface Owner {
    readonly namespace: string;
    readonly name: string;
    readonly clusterId: string;
}

/**
 * Returns the ownership key of a vServer group, a listener and each backend:
 * `k8s/{port}/{service}/{namespace}/{clusterId}`.
 *
 * @param port Service port for a listener, nodePort (ecs) or targetPort (eni) for a vServer group and its backends.
 */
export function ownershipKey(port: number | string, owner: Owner): string {
    return `k8s/${port}/${owner.name}/${owner.namespace}/${owner.clusterId}`;
}

/**
 * Returns the ownership key of an NLB server group, a listener and each server:
 * `k8s.{port}.{protocol}.{service}.{namespace}.{clusterId}`.
 *
 * @param port Service port for a listener, nodePort (ecs) or targetPort (eni) for a group and its servers, `start_end`
 * for a range of ports.
 */
export function nlbOwnershipKey(port: number | string, protocol: NlbProtocol, owner: Owner): string {
    return `k8s.${port}.${protocol.toUpperCase()}.${owner.name}.${owner.namespace}.${owner.clusterId}`;
}

/** Returns an ownership key of a Service to compare others with: {@link sameOwner}, {@link sameService}. */
export function ownerKey(type: LoadBalancerType, owner: Owner): string {
    return type === "nlb" ? nlbOwnershipKey(0, "tcp", owner) : ownershipKey(0, owner);
}

/** Returns the name of the security group of a Service's source ranges, from {@link defaultLoadBalancerName}. */
export function nlbSecurityGroupName(defaultName: string): string {
    return `k8s-nlb-${defaultName}`;
}

/** Returns the description of that group, and the mark of its rules. */
export function securityGroupMark(owner: Owner): string {
    return `k8s.${owner.namespace}.${owner.name}.${owner.clusterId}`;
}

/** Ownership keys of a CLB and of an NLB. A cluster id may contain the separator. */
const KEYS = [
    /^k8s\/[^/]+\/(?<service>[^/]+\/[^/]+)\/(?<cluster>.+)$/,
    /^k8s\.[^.]+\.[^.]+\.(?<service>[^.]+\.[^.]+)\.(?<cluster>.+)$/,
];

const parseKey = (key: string | undefined): RegExpExecArray["groups"] =>
    KEYS.map((form) => form.exec(key ?? "")).find((match) => match !== null)?.groups;

/** True if the key is an ownership key, written by this package or by the Cloud Controller Manager. */
export function isOwnershipKey(key: string | undefined): boolean {
    return parseKey(key) !== undefined;
}

/** Returns the id of the cluster in an ownership key, or undefined for another text. */
export const clusterOf = (key: string | undefined): string | undefined => parseKey(key)?.["cluster"];

/** Returns the Service in an ownership key, as `namespace/name`, or undefined for another text. */
export const serviceOf = (key: string | undefined): string | undefined =>
    parseKey(key)?.["service"]?.split(/[./]/).reverse().join("/");

/** True if both keys name the same Service of the same cluster, with any ports. */
export function sameOwner(key: string | undefined, other: string): boolean {
    return sameService(key, other) && sameCluster(key, other);
}

/** True if both keys name Services of the same namespace and name, of any clusters. */
export function sameService(key: string | undefined, other: string): boolean {
    const service = parseKey(key)?.["service"];
    return service !== undefined && service === parseKey(other)?.["service"];
}

/** True if both keys name Services of the same cluster id. */
export function sameCluster(key: string | undefined, other: string): boolean {
    const cluster = clusterOf(key);
    return cluster !== undefined && cluster === clusterOf(other);
}

/** Returns the owner in a {@link markedProtectionReason}, or undefined if the reason has none. */
export function ownerInReason(reason: string | undefined): string | undefined {
    return reason?.startsWith(`${PROTECTION_REASON}.`) ? reason.slice(PROTECTION_REASON.length + 1) : undefined;
}

/**
 * Returns the reason of the modification protection of an instance with a user-given name. Names are not unique, and
 * tags follow after the creation: the reason tells a half-made instance of this Service from a user-managed instance.
 * An instance with a default name has {@link PROTECTION_REASON}, as under CCM.
 */
export function markedProtectionReason(owner: string): string {
    return `${PROTECTION_REASON}.${owner}`;
}
