/** Service to the NLB that it asks for: pure functions, one file for each noun. */
import type { ClusterFacts } from "../../schema/facts";
import type { NlbListener, NlbLoadBalancer, NlbServerGroup } from "../../model/nlb";
import type { Service } from "../../kubernetes/service/service";
import { managesListeners } from "../reuse";
import { buildNlbListeners } from "./listener";
import { buildNlbLoadBalancer } from "./load-balancer";
import { buildNlbServerGroups } from "./server-group";

export { nlbImmutableFields } from "./load-balancer";

/** All that one Service asks of an NLB, backends aside: those follow the cluster, not the manifest. */
export interface NlbDesired {
    readonly loadBalancer: NlbLoadBalancer;
    readonly serverGroups: readonly NlbServerGroup[];
    /** None where they are user-managed. */
    readonly listeners: readonly NlbListener[];
}

/** Builds the desired model of a Service whose `loadBalancerType` is `nlb`. */
export function buildNlb(service: Service, facts: ClusterFacts): NlbDesired {
    return {
        loadBalancer: buildNlbLoadBalancer(service, facts),
        serverGroups: buildNlbServerGroups(service, facts),
        listeners: managesListeners(service) ? buildNlbListeners(service, facts) : [],
    };
}
