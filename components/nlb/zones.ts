import type * as nlb from "@pulumi/alicloud/nlb";
import * as pulumi from "@pulumi/pulumi";
import type { NlbCreateSpec } from "../../provider/nlb";
import type { NlbLoadBalancer } from "../../provider/nlb/load-balancer";
import { LoadBalancerZones, type ResourceArgs, ZoneCheck } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import type { ZoneMap } from "../../provider/schema/settings";
import { placeArgs } from "../service/account";
import type { ReferenceArgs } from "../service/args";
import { childName, type Component, type ResourceGroup } from "../service/component";

/** Zone of an NLB, whose vSwitch may be known only once it is made. */
export interface ZoneArgs extends Omit<ZoneMap, "vswitchId"> {
    readonly vswitchId: pulumi.Input<string>;
}

/** Returns the zones of an instance, with the vSwitches of references. */
export const zonesOf = (
    { zones }: NlbLoadBalancer,
    { zoneVswitches = {} }: Pick<ReferenceArgs, "zoneVswitches">,
): readonly ZoneArgs[] => zones.map((zone) => ({ ...zone, vswitchId: zoneVswitches[zone.zoneId] ?? zone.vswitchId }));

/** Instance, as far as that decides whether the cloud creates it. */
export function createRequest(
    { name, addressType, ipVersion }: NlbLoadBalancer,
    zones: readonly ZoneArgs[],
    { id }: ResourceGroup,
): pulumi.Output<NlbCreateSpec> {
    const named = defined({ name, resourceGroupId: id });
    return pulumi.output({ ...named, addressType, addressIpVersion: ipVersion, zones: [...zones] });
}

/**
 * Checks the vSwitches before anything is created, and finds their VPC.
 *
 * @param more.vpcId VPC in which they must be: that of the cluster, or of a reused instance
 * @param more.request instance whose creation is dry-run
 */
export function checkZones(
    component: Component,
    zones: readonly ZoneArgs[],
    more: Pick<ResourceArgs<"nlb/zone-check">, "vpcId" | "request">,
): ZoneCheck {
    const vswitches = Object.fromEntries(zones.map(({ zoneId, vswitchId }) => [zoneId, vswitchId]));
    return new ZoneCheck(
        childName(component),
        { service: component.subject, vswitches, ...more, ...placeArgs(component.account) },
        { parent: component.parent },
    );
}

/** Manages the zones of a living instance, and what changes inside them. */
export function createZones(
    component: Component,
    { addressType }: NlbLoadBalancer,
    zones: readonly ZoneArgs[],
    loadBalancer: nlb.LoadBalancer,
): LoadBalancerZones {
    return new LoadBalancerZones(
        childName(component),
        {
            loadBalancerId: loadBalancer.id,
            addressType,
            zones: Object.fromEntries(zones.map(({ zoneId, ...place }) => [zoneId, place])),
            ...(pulumi.runtime.isDryRun() ? { preview: true } : {}),
            ...placeArgs(component.account),
        },
        { parent: component.parent, deletedWith: loadBalancer },
    );
}
