import type * as nlb from "@pulumi/alicloud/nlb";
import * as pulumi from "@pulumi/pulumi";
import type { ZoneMap } from "../../provider/schema/settings";
import type * as nlbApi from "../../provider/nlb";
import { LoadBalancerZones, type ResourceArgs, ZoneCheck } from "../../provider/resources";
import { childName, type NlbContext, accountArgs } from "../service/context";
import { resourceGroupOf } from "../service/resource-group";
import { defined } from "../../provider/schema/defined";

/** The vSwitch of a zone, which may be known only once it is made. */
export function vswitchOf(context: NlbContext, { zoneId, vswitchId }: ZoneMap): pulumi.Input<string> {
    return context.references.zoneVswitches?.[zoneId] ?? vswitchId;
}

function placeOf(context: NlbContext, zone: ZoneMap) {
    return { ...withoutZoneId(zone), vswitchId: vswitchOf(context, zone) };
}

const withoutZoneId = ({ zoneId: _, ...place }: ZoneMap): Omit<ZoneMap, "zoneId"> => place;

/** The instance, as far as that decides whether the cloud makes it. */
function createRequest(context: NlbContext): pulumi.Output<nlbApi.NlbCreateSpec> {
    const { name, addressType, ipVersion, zones } = context.desired.loadBalancer;
    return pulumi.output({
        ...defined({ name }),
        addressType,
        addressIpVersion: ipVersion,
        ...defined({ resourceGroupId: resourceGroupOf(context) }),
        zones: zones.map((zone) => ({ zoneId: zone.zoneId, ...placeOf(context, zone) })),
    });
}

/**
 * Checks the vSwitches before anything is created, and finds their VPC. A preview also dry-runs the creation of the
 * instance.
 */
export function checkZones(context: NlbContext): ZoneCheck {
    const { vpcId } = context.cluster.ids;
    return checkVSwitches(context, {
        ...defined({ vpcId }),
        ...(pulumi.runtime.isDryRun() && context.adoption === undefined ? { request: createRequest(context) } : {}),
    });
}

/** Looks at the vSwitches that an instance is to get that is there already: they must be in its VPC. */
export function checkReusedZones(context: NlbContext, vpcId: pulumi.Output<string>): ZoneCheck {
    return checkVSwitches(context, { vpcId });
}

function checkVSwitches(
    context: NlbContext,
    more: Pick<ResourceArgs<"nlb/zone-check">, "vpcId" | "request">,
): ZoneCheck {
    const vswitches = Object.fromEntries(
        context.desired.loadBalancer.zones.map((zone) => [zone.zoneId, vswitchOf(context, zone)]),
    );
    return new ZoneCheck(
        childName(context),
        { service: context.subject, vswitches, ...more, ...accountArgs(context) },
        { parent: context.parent },
    );
}

/** The zones of a living instance, and what changes inside them. */
export function createZones(context: NlbContext, loadBalancer: nlb.LoadBalancer): LoadBalancerZones {
    const { addressType, zones: desired } = context.desired.loadBalancer;
    // An adoption that allows other zones keeps the existing ones until the first run without it.
    const zones = context.adoption?.zones ?? desired;
    return new LoadBalancerZones(
        childName(context),
        {
            loadBalancerId: loadBalancer.id,
            addressType,
            zones: Object.fromEntries(
                zones.map((zone) => [zone.zoneId, zones === desired ? placeOf(context, zone) : withoutZoneId(zone)]),
            ),
            ...(pulumi.runtime.isDryRun() ? { preview: true } : {}),
            ...accountArgs(context),
        },
        { parent: context.parent, deletedWith: loadBalancer },
    );
}
