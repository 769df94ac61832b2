/**
 * Whether a Service may use an instance that is there already, and what it would change of it.
 *
 * Pure functions over a request and what the cloud says; the contract of a Service, policies and programs share them.
 */
import { diagnostic, type Diagnostic, type ReuseCode } from "../../diagnostics";
import type { ObservedLoadBalancer, ReuseRequest } from "../../model/observed";
import { clusterUidTag, sameOwner } from "../../model/names";
import { instanceChanges } from "./changes";
import { ownershipMark, SOURCES, termsFor } from "./terms";
import { checkInstance } from "./instance";
import { checkServerGroups } from "./groups";
import { checkListeners, nameOf } from "./listeners";

export { type FormerTags, formerTags } from "./former-tags";
export { onlyRequested, type InstanceChange, instanceChanges } from "./changes";
export { recordedRequest } from "./recorded";
export { termsFor } from "./terms";
export {
    checkDroppedListeners,
    nameOf as listenerName,
    type ReplacedListener,
    replacedListeners,
    sharePort,
} from "./listeners";
export { type Collision, collisions, collisionsWith, describeCollision, listenersByName } from "./tenants";

/**
 * All that is wrong with a reuse, and all that is worth knowing of it, at once.
 *
 * @param found undefined if the cloud has no such instance.
 */
export function checkReuse(request: ReuseRequest, found: ObservedLoadBalancer | undefined): Diagnostic<ReuseCode>[] {
    if (found === undefined) {
        const message = `there is no load balancer ${request.loadBalancerId} in this region`;
        const remedy = "correct alibaba-cloud-loadbalancer-id, or create the instance first";
        return [
            diagnostic({
                code: "instance-missing",
                severity: "error",
                about: "id",
                cause: message,
                remedy,
                source: termsFor(request).EXISTING,
            }),
        ];
    }
    return [
        ...checkInstance(request, found),
        ...checkClusterId(request, found),
        ...checkListeners(request, found),
        ...checkServerGroups(request, found),
        ...sayChanges(request, found),
        ...sayUnmanaged(request, found),
    ];
}

/** Names and marks carry the cluster's id. */
function checkClusterId(
    { clusterId, clusterUid }: ReuseRequest,
    { id, tags }: ObservedLoadBalancer,
): Diagnostic<ReuseCode>[] {
    const other = tags[clusterUidTag(clusterId)];
    if (other === undefined || clusterUid === undefined || other === clusterUid) {
        return [];
    }
    return [
        diagnostic({
            code: "cluster-id-taken",
            severity: "error",
            about: "id",
            cause: `load balancer ${id} is used by the cluster ${other} under the clusterId "${clusterId}" already, but this run reaches the cluster ${clusterUid}: each would take the other's listeners and server groups for its own`,
            remedy: `give each cluster the id that ACK shows for it; if the cluster ${other} is gone, delete its listeners and groups from the instance, and its tag ${clusterUidTag(clusterId)}`,
            source: SOURCES.WHICH,
        }),
    ];
}

function sayChanges(request: ReuseRequest, found: ObservedLoadBalancer): Diagnostic<ReuseCode>[] {
    const changes = instanceChanges(request, found).map(
        ({ what, before, after }) => `${what} ${before === "" ? "unset" : `"${before}"`} => "${after}"`,
    );
    if (changes.length === 0) {
        return [];
    }
    const message = `load balancer ${found.id}, which is not this Service's alone, will be changed: ${changes.join(", ")}`;
    return [
        diagnostic({
            code: "instance-changed",
            severity: "warning",
            about: {},
            cause: message,
            remedy: "remove the annotations that say so, if that is not meant",
            source: SOURCES.POLICY,
        }),
    ];
}

/** Reported until a user-managed listener forwards to a group of the Service. */
function sayUnmanaged(request: ReuseRequest, found: ObservedLoadBalancer): Diagnostic<ReuseCode>[] {
    const { manageListeners, joinedGroups, loadBalancerId } = request;
    const ours = ownershipMark(request);
    const served = found.serverGroups.filter(
        ({ id, name }) => sameOwner(name, ours) && found.listeners.some(({ serverGroupId }) => serverGroupId === id),
    );
    const unbound =
        manageListeners || served.length > 0
            ? []
            : request.listeners.filter(({ port }) => !joinedGroups.some((joined) => joined.port === port));
    if (unbound.length === 0) {
        return [];
    }
    const ports = unbound.map(nameOf).join(", ");
    return [
        diagnostic({
            code: "listeners-unmanaged",
            severity: "warning",
            about: "forceOverrideListeners",
            cause: `listeners of load balancer ${loadBalancerId} are not managed: for ${ports} only ${termsFor(request).group}s and their backends are`,
            remedy: 'point listeners of yours to the groups, or set alibaba-cloud-loadbalancer-force-override-listeners to "true"',
            source: SOURCES.POLICY,
        }),
    ];
}
