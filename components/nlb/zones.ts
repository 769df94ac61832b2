import type * as nlb from "@pulumi/alicloud/nlb";
import { LoadBalancerZones, ZoneCheck } from "../../provider/dynamic";
import { childName, type NetworkContext, regionArg } from "../context";

/** Looks at the vSwitches before anything is made, and finds the VPC that they are in. */
export function checkZones(context: NetworkContext): ZoneCheck {
    const { zones, vpcId } = context.desired.loadBalancer;
    const vswitches = Object.fromEntries(zones.map(({ zoneId, vswitchId }) => [zoneId, vswitchId]));
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
            zones: Object.fromEntries(zones.map(({ zoneId, ...zone }) => [zoneId, zone])),
            ...regionArg(context),
        },
        { parent: context.parent, deletedWith: loadBalancer },
    );
}
