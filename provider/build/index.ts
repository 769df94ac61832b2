/** Service to desired model: pure functions, one file for each noun. */
import type { ClusterFacts } from "../model/facts";
import type { Listener } from "../model/listener";
import type { LoadBalancer } from "../model/loadbalancer";
import type { ServerGroup } from "../model/servergroup";
import type { Service } from "../model/service";
import { buildListeners } from "./listener";
import { buildLoadBalancer } from "./loadbalancer";
import { managesListeners } from "./reuse";
import { buildServerGroups } from "./servergroup";

export { disruptiveFacts } from "./disruptive";
export { buildInstance, createOnlyFacts } from "./loadbalancer";
export { buildNetwork, networkCreateOnlyFacts, type NetworkDesired } from "./nlb";
export { buildReuse, managesListeners, reuses, tenantOf } from "./reuse";

/** All that one Service asks of the cloud, backends aside: those follow the cluster, not the manifest. */
export interface Desired {
    readonly loadBalancer: LoadBalancer;
    readonly serverGroups: readonly ServerGroup[];
    /** None where they are somebody else's. */
    readonly listeners: readonly Listener[];
}

/** Builds the desired model of a Service. */
export function build(service: Service, facts: ClusterFacts): Desired {
    return {
        loadBalancer: buildLoadBalancer(service, facts),
        serverGroups: buildServerGroups(service, facts),
        listeners: managesListeners(service) ? buildListeners(service, facts) : [],
    };
}
