/**
 * Names, descriptions and tags, as the Cloud Controller Manager (CCM) writes them.
 *
 * They are how ownership is recognised in shared places, and what makes moving a Service from CCM to this package and back possible.
 */

import type { LoadBalancerType } from "../schema/load-balancer-type";
import type { NlbProtocol } from "../schema/protocols";

/** Tag that marks an instance as made for a Service; its value is {@link defaultLoadBalancerName}. Source: "FAQ about Services", renaming a CLB instance. */
export const OWNER_TAG = "kubernetes.do.not.delete";

/** Tag that holds the cluster id. Source: "Configure CLB using annotations", preserving the CLB instance. */
export const CLUSTER_TAG = "ack.aliyun.com";

/** Tag of an instance that Services reuse and that is user-managed. Source: CCM's own TagResources request. */
export const REUSED_TAG = "kubernetes.reused.by.user";

/** Tag of a reused instance that holds, by cluster id, the UID of the cluster that uses the id there: two clusters of one id would take each other's listeners for their own. */
export function clusterUidTag(clusterId: string): string {
    return `ack-loadbalancer.io/${clusterId}`;
}

/** Reason that CCM stores with modification protection. Source: CCM's own CreateLoadBalancer request. */
export const PROTECTION_REASON = "managed.by.ack";

/** Longest instance name that CCM derives from a UID, in characters. */
const MAX_DEFAULT_NAME = 32;

/**
 * Name of an instance whose Service gives none, and value of {@link OWNER_TAG}.
 *
 * @param uid `metadata.uid` of the Service.
 * @returns `a` + the UID without dashes, cut to 32 characters. Source: "FAQ about Services", the awk line that computes the tag.
 */
export function defaultLoadBalancerName(uid: string): string {
    return `a${uid.replaceAll("-", "")}`.slice(0, MAX_DEFAULT_NAME);
}

/** What identifies a Service in names: the cluster makes it unique across clusters that share an instance. */
export interface Owner {
    readonly namespace: string;
    readonly name: string;
    readonly clusterId: string;
}

/**
 * Key of a vServer group, of a listener and of each backend: `k8s/{port}/{service}/{namespace}/{clusterId}`.
 *
 * @param port Service port for a listener; nodePort (ecs) or targetPort (eni) for a vServer group and its backends.
 */
export function ownershipKey(port: number | string, owner: Owner): string {
    return `k8s/${port}/${owner.name}/${owner.namespace}/${owner.clusterId}`;
}

/**
 * Key of an NLB server group, of a listener and of each server: `k8s.{port}.{protocol}.{service}.{namespace}.{clusterId}`.
 *
 * @param port Service port for a listener; nodePort (ecs) or targetPort (eni) for a group and its servers; `start_end` for a range of ports.
 */
export function nlbOwnershipKey(port: number | string, protocol: NlbProtocol, owner: Owner): string {
    return `k8s.${port}.${protocol.toUpperCase()}.${owner.name}.${owner.namespace}.${owner.clusterId}`;
}

/** Any ownership key of a Service, in the form of its kind of load balancer: what {@link sameOwner} and {@link sameService} compare others with. */
export function ownerKey(type: LoadBalancerType, owner: Owner): string {
    return type === "nlb" ? nlbOwnershipKey(0, "tcp", owner) : ownershipKey(0, owner);
}

/** Name of the security group of a Service's source ranges. @param defaultName see {@link defaultLoadBalancerName}. */
export function nlbSecurityGroupName(defaultName: string): string {
    return `k8s-nlb-${defaultName}`;
}

/** Description of that group, and mark of its rules. */
export function securityGroupMark(owner: Owner): string {
    return `k8s.${owner.namespace}.${owner.name}.${owner.clusterId}`;
}

/**
 * Whether two keys name the same Service of the same cluster, whatever their ports. A key of another form has no owner.
 *
 * Only the leading parts are split off: a cluster id may hold the separator.
 */
export function sameOwner(key: string | undefined, other: string): boolean {
    const owner = ownerOf(key);
    return owner !== undefined && owner === ownerOf(other);
}

/** Whether a key names a Service of any cluster, managed by this package or by the Cloud Controller Manager. */
export function isOwnershipKey(key: string | undefined): boolean {
    return ownerOf(key) !== undefined;
}

/** Whether two keys name Services of one namespace and name, of whatever cluster. */
export function sameService(key: string | undefined, other: string): boolean {
    const service = serviceOf(key);
    return service !== undefined && service === serviceOf(other);
}

/** Whether two keys name Services of one cluster id. */
export function sameCluster(key: string | undefined, other: string): boolean {
    const cluster = clusterOf(key);
    return cluster !== undefined && cluster === clusterOf(other);
}

function clusterOf(key: string | undefined): string | undefined {
    return (/^k8s(?:\/[^/]+){3}\/(.+)$/.exec(key ?? "") ?? /^k8s(?:\.[^.]+){4}\.(.+)$/.exec(key ?? ""))?.[1];
}

function serviceOf(key: string | undefined): string | undefined {
    return (/^k8s\/[^/]+\/([^/]+\/[^/]+)\/.+$/.exec(key ?? "") ??
        /^k8s\.[^.]+\.[^.]+\.([^.]+\.[^.]+)\..+$/.exec(key ?? ""))?.[1];
}

function ownerOf(key: string | undefined): string | undefined {
    return (/^k8s\/[^/]+(\/.+\/.+\/.+)$/.exec(key ?? "") ?? /^k8s\.[^.]+\.[^.]+(\..+\..+\..+)$/.exec(key ?? ""))?.[1];
}

/** Owner in a {@link markedProtectionReason}; undefined if the reason names none. */
export function ownerInReason(reason: string | undefined): string | undefined {
    return reason?.startsWith(`${PROTECTION_REASON}.`) ? reason.slice(PROTECTION_REASON.length + 1) : undefined;
}

/**
 * Reason of the modification protection of an instance whose name was chosen by a person.
 *
 * Names are not unique, and tags are attached only after the create: by the reason an interrupted create of this very Service is distinguished from a user-managed instance.
 * An instance with a derived name needs no such mark and carries {@link PROTECTION_REASON}, as under CCM.
 */
export function markedProtectionReason(owner: string): string {
    return `${PROTECTION_REASON}.${owner}`;
}
