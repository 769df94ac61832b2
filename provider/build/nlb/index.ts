/** Service to the NLB that it asks for: pure functions, one file for each noun. */
import type { ClusterFacts } from "../../model/facts";
import type { NetworkListener } from "../../model/nlb/listener";
import type { NetworkLoadBalancer } from "../../model/nlb/loadbalancer";
import type { NetworkServerGroup } from "../../model/nlb/servergroup";
import type { Service } from "../../model/service";
import { managesListeners } from "../reuse";
import { buildNetworkListeners } from "./listener";
import { buildNetworkLoadBalancer } from "./loadbalancer";
import { buildNetworkServerGroups } from "./servergroup";

export { networkCreateOnlyFacts } from "./loadbalancer";

/** All that one Service asks of an NLB, backends aside: those follow the cluster, not the manifest. */
export interface NetworkDesired {
    readonly loadBalancer: NetworkLoadBalancer;
    readonly serverGroups: readonly NetworkServerGroup[];
    /** None where they are somebody else's. */
    readonly listeners: readonly NetworkListener[];
}

/** Builds the desired model of a Service whose `loadBalancerType` is `nlb`. */
export function buildNetwork(service: Service, facts: ClusterFacts): NetworkDesired {
    return {
        loadBalancer: buildNetworkLoadBalancer(service, facts),
        serverGroups: buildNetworkServerGroups(service, facts),
        listeners: managesListeners(service) ? buildNetworkListeners(service, facts) : [],
    };
}
