/** The NLB of a Service: instance, listeners, server groups with their backends. */
import type * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerRelease, ServerGroupBackends, ZoneCheck } from "../../provider/dynamic";
import { createBackends } from "../backends";
import type { NetworkContext } from "../context";
import type { ServiceHandle } from "../service";
import { attachBandwidthPackage } from "./bandwidth";
import { createAdditionalCertificates, createNetworkListeners } from "./listener";
import { createNetworkLoadBalancer, createNetworkRelease } from "./loadbalancer";
import { createSecurityGroup } from "./security-group";
import { createGroupOptions, createNetworkServerGroups } from "./servergroup";
import { createZones } from "./zones";

export { checkZones } from "./zones";

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

/** What the NLB of a Service stands on. */
export interface NetworkBase {
    readonly handle: ServiceHandle;
    /** Refuses changes that a living instance cannot follow. */
    readonly contract: pulumi.Resource;
    readonly zones: ZoneCheck;
}

/**
 * Makes the NLB of a Service.
 *
 * Server groups outlive the instance, whose listeners use them, so that destroying a Service is one delete for the instance and one for each group, as under CCM. Where
 * the instance is to stay, its groups stay with it, and so are made after it.
 */
export function placeNetwork(context: NetworkContext, { handle, contract, zones }: NetworkBase): PlacedNetwork {
    const { preserve } = context.desired.loadBalancer;
    const base = { handle, vpcId: zones.vpc };
    const early = preserve ? undefined : createNetworkServerGroups(context, { ...base, dependsOn: contract }, undefined);
    const securityGroup = createSecurityGroup(context, handle, zones.vpc, contract);
    const loadBalancer = createNetworkLoadBalancer(context, {
        ...base,
        ownSecurityGroupId: securityGroup?.id,
        dependsOn: [contract, ...Object.values(early ?? {}).map(({ resource }) => resource)],
    });
    const groups = early ?? createNetworkServerGroups(context, { ...base, dependsOn: contract }, loadBalancer);
    const release = createNetworkRelease(context, loadBalancer, groups);
    // An instance takes one change at a time, and no listener meanwhile.
    const inZones = createZones(context, loadBalancer);
    const bandwidth = attachBandwidthPackage(context, loadBalancer, inZones);
    const options = createGroupOptions(context, groups);
    const backends = createBackends(context, groups, options);
    const listeners = createNetworkListeners(context, { loadBalancer, groups, backends, dependsOn: [inZones, ...(bandwidth === undefined ? [] : [bandwidth]), ...options] });
    const certificates = createAdditionalCertificates(context, listeners);
    return {
        loadBalancer,
        serverGroups: Object.fromEntries(Object.entries(groups).map(([key, { resource }]) => [key, resource])),
        backends,
        listeners,
        release,
        ready: [...Object.values(listeners), ...certificates],
    };
}
