/** The NLB of a Service: instance, listeners, server groups with their backends. */
import type * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerRelease, ServerGroupBackends } from "../../provider/dynamic";
import { createBackends } from "../backends";
import type { NetworkContext } from "../context";
import type { ServiceHandle } from "../service";
import { createNetworkListeners } from "./listener";
import { createNetworkLoadBalancer, createNetworkRelease } from "./loadbalancer";
import { createNetworkServerGroups } from "./servergroup";

/** All that was made for a Service with an NLB. */
export interface PlacedNetwork {
    readonly loadBalancer: nlb.LoadBalancer;
    readonly serverGroups: Readonly<Record<string, nlb.ServerGroup>>;
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    readonly listeners: Readonly<Record<string, nlb.Listener>>;
    readonly release: LoadBalancerRelease;
    /** What must be there before the Service's status says that it is reachable. */
    readonly ready: readonly pulumi.Resource[];
}

/**
 * Makes the NLB of a Service.
 *
 * Server groups outlive the instance, whose listeners use them, so that destroying a Service is one delete for the instance and one for each group, as under CCM. Where
 * the instance is to stay, its groups stay with it, and so are made after it.
 */
export function placeNetwork(context: NetworkContext, handle: ServiceHandle, contract: pulumi.Resource): PlacedNetwork {
    const { preserve } = context.desired.loadBalancer;
    const early = preserve ? undefined : createNetworkServerGroups(context, handle, undefined);
    const loadBalancer = createNetworkLoadBalancer(context, {
        handle,
        ownSecurityGroupId: undefined,
        dependsOn: [contract, ...Object.values(early ?? {}).map(({ resource }) => resource)],
    });
    const groups = early ?? createNetworkServerGroups(context, handle, loadBalancer);
    const release = createNetworkRelease(context, loadBalancer, groups);
    const backends = createBackends(context, groups);
    const listeners = createNetworkListeners(context, { loadBalancer, groups, backends, dependsOn: [] });
    return {
        loadBalancer,
        serverGroups: Object.fromEntries(Object.entries(groups).map(([key, { resource }]) => [key, resource])),
        backends,
        listeners,
        release,
        ready: Object.values(listeners),
    };
}
