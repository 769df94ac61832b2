/** The desired load balancer of a Service: pure functions. */
import { buildClbLoadBalancer, type ClbLoadBalancer } from "../clb/load-balancer";
import { buildClbServerGroups } from "../clb/server-group";
import { buildClbListeners, type ClbListener } from "../clb/listener";
import * as nlb from "../nlb";
import type { Service } from "../service/service";
import type { ClusterFacts } from "../schema/facts";
import type { ServerGroup } from "../schema/server-group";
import { nlbOwnershipKey, type Owner, ownershipKey } from "../schema/names";
import { listenersManaged } from "../service/annotations";

/** Desired model of a Service, without backends: those follow the cluster, not the manifest. */
interface Desired<Kind, LoadBalancer, ServerGroup, Listener> {
    readonly kind: Kind;
    readonly loadBalancer: LoadBalancer;
    readonly serverGroups: readonly ServerGroup[];
    /** Empty if they are user-managed. */
    readonly listeners: readonly Listener[];
}

export type ClbDesired = Desired<"clb", ClbLoadBalancer, ServerGroup, ClbListener>;

export type NlbDesired = Desired<"nlb", nlb.NlbLoadBalancer, nlb.NlbServerGroup, nlb.NlbListener>;

/** Builds the desired model of a Service with a CLB. */
export function buildClb(service: Service, facts: ClusterFacts): ClbDesired {
    return {
        kind: "clb",
        loadBalancer: buildClbLoadBalancer(service, facts),
        serverGroups: buildClbServerGroups(service, facts),
        listeners: listenersManaged(service.settings) ? buildClbListeners(service, facts) : [],
    };
}

/** Builds the desired model of a Service with an NLB. */
export function buildNlb(service: Service, facts: ClusterFacts): NlbDesired {
    return {
        kind: "nlb",
        loadBalancer: nlb.buildNlbLoadBalancer(service),
        serverGroups: nlb.buildNlbServerGroups(service, facts),
        listeners: listenersManaged(service.settings) ? nlb.buildNlbListeners(service, facts) : [],
    };
}

/** Returns the name of a managed server group. `nodePort` is that of its first port, and its other kinds have none. */
export function groupName(
    { kind, range, backendPort, protocol }: ServerGroup,
    nodePort: number | undefined,
    owner: Owner,
) {
    const port = (kind === "ecs" ? nodePort : undefined) ?? range ?? backendPort ?? "";
    return protocol === undefined ? ownershipKey(port, owner) : nlbOwnershipKey(port, protocol, owner);
}
