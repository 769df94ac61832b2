/** Builds the desired model of a Service: pure functions. */
import type { Service } from "../kubernetes/service/service";
import type { ClbListener, ClbLoadBalancer, ClbServerGroup } from "../model/clb";
import type { NlbListener, NlbLoadBalancer, NlbServerGroup } from "../model/nlb";
import type { ClusterFacts } from "../schema/facts";
import { buildClbListeners, buildClbServerGroups } from "./clb/listener";
import { buildClbLoadBalancer } from "./clb/load-balancer";
import { buildNlbListeners, buildNlbServerGroups } from "./nlb/listener";
import { buildNlbLoadBalancer } from "./nlb/load-balancer";
import { managesListeners } from "./reuse";

export { disruptiveFields } from "./disruptive";
export { askedBy, buildInstance, immutableFields, initialCharge, initialGroup, specFor } from "./clb/load-balancer";
export { nlbImmutableFields } from "./nlb/load-balancer";
export { buildReuse, managesListeners, reuses, tenantOf } from "./reuse";

/** Desired model of a Service, without backends: those follow the cluster, not the manifest. */
interface Desired<LoadBalancer, ServerGroup, Listener> {
    readonly loadBalancer: LoadBalancer;
    readonly serverGroups: readonly ServerGroup[];
    /** Empty if they are user-managed. */
    readonly listeners: readonly Listener[];
}

export type ClbDesired = Desired<ClbLoadBalancer, ClbServerGroup, ClbListener>;
export type NlbDesired = Desired<NlbLoadBalancer, NlbServerGroup, NlbListener>;

/** Builds the desired model of a Service with a CLB. */
export function buildClb(service: Service, facts: ClusterFacts): ClbDesired {
    return {
        loadBalancer: buildClbLoadBalancer(service, facts),
        serverGroups: buildClbServerGroups(service, facts),
        listeners: managesListeners(service) ? buildClbListeners(service, facts) : [],
    };
}

/** Builds the desired model of a Service with an NLB. */
export function buildNlb(service: Service, facts: ClusterFacts): NlbDesired {
    return {
        loadBalancer: buildNlbLoadBalancer(service, facts),
        serverGroups: buildNlbServerGroups(service, facts),
        listeners: managesListeners(service) ? buildNlbListeners(service, facts) : [],
    };
}
