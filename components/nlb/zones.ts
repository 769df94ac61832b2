import type * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import type { ZoneMap } from "../../provider/annotations";
import { LoadBalancerZones, type ZoneArgs, ZoneCheck } from "../../provider/dynamic";
import { childName, type NetworkContext, regionArg } from "../context";

/** The vSwitch of a zone, which may be known only once it is made. */
export function vswitchOf(context: NetworkContext, { zoneId, vswitchId }: ZoneMap): pulumi.Input<string> {
    return context.references.zoneVswitches?.[zoneId] ?? vswitchId;
}

function placeOf(context: NetworkContext, zone: ZoneMap): ZoneArgs {
    const { zoneId: _, ...place } = zone;
    return { ...place, vswitchId: vswitchOf(context, zone) };
}

/**
 * Looks at the vSwitches before anything is made, and finds the VPC that they are in.
 *
 * @param vpcId where they must be; undefined = wherever the first of them is.
 */
export function checkZones(context: NetworkContext, vpcId: pulumi.Input<string> | undefined): ZoneCheck {
    const { zones } = context.desired.loadBalancer;
    const vswitches = Object.fromEntries(zones.map((zone) => [zone.zoneId, vswitchOf(context, zone)]));
    return new ZoneCheck(
        childName(context),
        { service: childName(context), vswitches, ...(vpcId === undefined ? {} : { vpcId }), ...regionArg(context) },
        { parent: context.parent },
    );
}

/** What changes inside the zones, which the plugin does not see. */
export function createZones(context: NetworkContext, loadBalancer: nlb.LoadBalancer): LoadBalancerZones {
    const { zones, addressType } = context.desired.loadBalancer;
    return new LoadBalancerZones(
        childName(context),
        {
            loadBalancerId: loadBalancer.id,
            addressType,
            zones: Object.fromEntries(zones.map((zone) => [zone.zoneId, placeOf(context, zone)])),
            ...regionArg(context),
        },
        { parent: context.parent, deletedWith: loadBalancer },
    );
}
