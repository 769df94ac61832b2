/** Service to desired model: pure functions, one file for each noun. */
import type { ClusterFacts } from "../schema/facts";
import type { ClbListener, ClbLoadBalancer, ClbServerGroup } from "../model/clb";
import type { Service } from "../kubernetes/service/service";
import { buildClbListeners } from "./clb/listener";
import { buildClbLoadBalancer } from "./clb/load-balancer";
import { managesListeners } from "./reuse";
import { buildClbServerGroups } from "./clb/server-group";

export { disruptiveFields } from "./disruptive";
export { askedBy, buildInstance, immutableFields, initialCharge, initialGroup, specFor } from "./clb/load-balancer";
export { buildNlb, nlbImmutableFields, type NlbDesired } from "./nlb";
export { buildReuse, managesListeners, reuses, tenantOf } from "./reuse";

/** All that one Service asks of the cloud, backends aside: those follow the cluster, not the manifest. */
export interface ClbDesired {
    readonly loadBalancer: ClbLoadBalancer;
    readonly serverGroups: readonly ClbServerGroup[];
    /** None where they are user-managed. */
    readonly listeners: readonly ClbListener[];
}

/** Builds the desired model of a Service. */
export function buildClb(service: Service, facts: ClusterFacts): ClbDesired {
    return {
        loadBalancer: buildClbLoadBalancer(service, facts),
        serverGroups: buildClbServerGroups(service, facts),
        listeners: managesListeners(service) ? buildClbListeners(service, facts) : [],
    };
}
