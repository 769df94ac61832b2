/** Service to desired model: pure functions, one file for each noun. */
import type { ClusterFacts } from "../model/facts";
import type { Listener } from "../model/listener";
import type { LoadBalancer } from "../model/loadbalancer";
import type { ServerGroup } from "../model/servergroup";
import type { Service } from "../model/service";
import { buildListeners } from "./listener";
import { buildLoadBalancer } from "./loadbalancer";
import { buildServerGroups } from "./servergroup";

export { createOnlyFacts } from "./loadbalancer";
export { buildNetwork, networkCreateOnlyFacts, type NetworkDesired } from "./nlb";

/** All that one Service asks of the cloud, backends aside: those follow the cluster, not the manifest. */
export interface Desired {
    readonly loadBalancer: LoadBalancer;
    readonly serverGroups: readonly ServerGroup[];
    readonly listeners: readonly Listener[];
}

/** Builds the desired model of a Service. */
export function build(service: Service, facts: ClusterFacts): Desired {
    return {
        loadBalancer: buildLoadBalancer(service, facts),
        serverGroups: buildServerGroups(service, facts),
        listeners: buildListeners(service, facts),
    };
}
