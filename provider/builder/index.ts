/** Builds the desired model of a Service: pure functions. */
import type { Service } from "../service/service";
import type { ClbListener, ClbLoadBalancer, ClbServerGroup } from "../clb/model";
import type { NlbListener, NlbLoadBalancer, NlbServerGroup } from "../nlb/model";
import type { ClusterFacts } from "../schema/facts";
import { buildClbListeners, buildClbServerGroups } from "../clb/build/listener";
import { buildClbLoadBalancer } from "../clb/build/load-balancer";
import { buildNlbListeners, buildNlbServerGroups } from "../nlb/build/listener";
import { buildNlbLoadBalancer } from "../nlb/build/load-balancer";
import { managesListeners } from "../service/reuse";

export { disruptiveFields } from "./disruptive";
export {
    askedBy,
    buildInstance,
    immutableFields,
    initialCharge,
    initialGroup,
    specFor,
} from "../clb/build/load-balancer";
export { nlbImmutableFields } from "../nlb/build/load-balancer";
export { buildReuse, managesListeners, reuses, tenantOf } from "../service/reuse";

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
        loadBalancer: buildNlbLoadBalancer(service),
        serverGroups: buildNlbServerGroups(service, facts),
        listeners: managesListeners(service) ? buildNlbListeners(service, facts) : [],
    };
}
