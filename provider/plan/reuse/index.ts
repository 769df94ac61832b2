/** Reuse of an existing instance: what keeps a Service from it, and what the Service changes. Pure functions. */
import { collector, type Diagnostic, type ReuseCode } from "../../diagnostics";
import { clusterUidTag, sameOwner } from "../../schema/names";
import type { ObservedLoadBalancer } from "../../schema/observed";
import type { ReuseRequest } from "../../service/reuse";
import { instanceChanges } from "./changes";
import { judgeServerGroups } from "./objects";
import { judgeInstance } from "./instance";
import { judgeListeners } from "./objects";
import { listenerName } from "../../schema/listener-address";
import { type Judge, ownershipMark, SOURCES, termsFor } from "./sources";

/**
 * Returns all errors and warnings of a reuse.
 *
 * @param found undefined if there is no such instance.
 */
export function checkReuse(request: ReuseRequest, found: ObservedLoadBalancer | undefined): Diagnostic<ReuseCode>[] {
    const report = collector<ReuseCode>("instance-missing", { source: SOURCES.WHICH });
    if (found === undefined) {
        const cause = `there is no load balancer ${request.loadBalancerId} in this region`;
        const remedy = "correct alibaba-cloud-loadbalancer-id, or create the instance first";
        report.error("id", cause, remedy, { source: termsFor(request).EXISTING });
    } else {
        for (const judge of [
            judgeInstance,
            judgeClusterId,
            judgeListeners,
            judgeServerGroups,
            judgeChanges,
            judgeUnmanaged,
        ])
            judge(report, request, found);
    }
    return [...report.diagnostics];
}

/** Names and marks contain the cluster's id. */
const judgeClusterId: Judge = (report, { clusterId, clusterUid }, { id, tags }) => {
    const tag = clusterUidTag(clusterId);
    const other = tags[tag];
    if (other === undefined || clusterUid === undefined || other === clusterUid) return;
    report.error(
        "id",
        `load balancer ${id} is used by the cluster ${other} under the clusterId "${clusterId}" already, but ` +
            `this run reaches the cluster ${clusterUid}: each would take the other's listeners and server groups ` +
            "for its own",
        `give each cluster the id that ACK shows for it; if the cluster ${other} is gone, delete its listeners ` +
            `and groups from the instance, and its tag ${tag}`,
        { code: "cluster-id-taken" },
    );
};

const judgeChanges: Judge = (report, request, found) => {
    const changes = instanceChanges(request, found).map(
        ({ attribute, observed, desired }) =>
            `${attribute} ${observed === "-" ? "unset" : `"${observed}"`} => "${desired}"`,
    );
    if (changes.length > 0)
        report.warning(
            {},
            `load balancer ${found.id}, which is not this Service's alone, will be changed: ${changes.join(", ")}`,
            "remove the annotations that say so, if that is not meant",
            { code: "instance-changed", source: SOURCES.POLICY },
        );
};

/** Warns until a user-managed listener forwards to a group of the Service. */
const judgeUnmanaged: Judge = (report, request, { listeners, serverGroups }) => {
    const { manageListeners, joinedGroups, loadBalancerId } = request;
    const mark = ownershipMark(request);
    const isServed = serverGroups.some(
        ({ id, name }) => sameOwner(name, mark) && listeners.some(({ serverGroupId }) => serverGroupId === id),
    );
    if (manageListeners || isServed) return;
    const unbound = request.listeners.filter(({ port }) => !joinedGroups.some((joined) => joined.port === port));
    if (unbound.length === 0) return;
    const ports = unbound.map(listenerName).join(", ");
    report.warning(
        "forceOverrideListeners",
        `listeners of load balancer ${loadBalancerId} are not managed: for ${ports} only ` +
            `${termsFor(request).group}s and their backends are`,
        'point listeners of yours to the groups, or set alibaba-cloud-loadbalancer-force-override-listeners to "true"',
        { code: "listeners-unmanaged", source: SOURCES.POLICY },
    );
};
