/** Zones of an NLB. */
import { converted, fields, list, requiredText, text } from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { change, dryRun, type DryRunAnswer } from "./jobs";
import { defined } from "../schema/defined";
import type { ZoneMap } from "../schema/settings";

export interface ObservedZone extends ZoneMap {
    /** Absent for an internal load balancer. */
    readonly publicIpv4?: string;
}

export const ZONE = converted(
    fields({
        zoneId: ["ZoneId", requiredText],
        vswitchId: ["VSwitchId", requiredText],
        addresses: [
            "LoadBalancerAddresses",
            list(
                fields({
                    privateIpv4: ["PrivateIPv4Address", text],
                    publicIpv4: ["PublicIPv4Address", text],
                    allocationId: ["AllocationId", text],
                }),
            ),
        ],
    }),
    ({ addresses = [], ...zone }): ObservedZone => ({ ...zone, ...addresses[0] }),
);

/** Completes a zone that keeps its vSwitch with its observed addresses: the cloud may replace omitted addresses. */
export function keepAddresses(desired: ZoneMap, zones: readonly ZoneMap[]): ZoneMap {
    const actual = zones.find(({ zoneId, vswitchId }) => zoneId === desired.zoneId && vswitchId === desired.vswitchId);
    return { ...actual, ...desired };
}

/**
 * Returns zones with the addresses that were named for them before, which the cloud keeps in their vSwitch. An internal
 * load balancer has no elastic addresses.
 */
export function keepNamed(zones: readonly ZoneMap[], former: readonly ZoneMap[], staysPublic: boolean): ZoneMap[] {
    const named = staysPublic ? former : former.map(({ allocationId: _, ...zone }) => zone);
    return zones.map((zone) => keepAddresses(zone, named));
}

/** True if an observed zone is as desired. Fields that the desired zone leaves open fit any value. */
export const zoneFits = (desired: Partial<ZoneMap>, observed: ZoneMap): boolean =>
    (["zoneId", "vswitchId", "privateIpv4", "allocationId"] as const).every(
        (field) => desired[field] === undefined || desired[field] === observed[field],
    );

/** Asks if the cloud would change the zones of an instance to these (UpdateLoadBalancerZones with DryRun). */
export function wouldUpdateZones(cloud: Cloud, id: string, zones: readonly ZoneMap[]): Promise<DryRunAnswer> {
    return dryRun(cloud, "UpdateLoadBalancerZones", { LoadBalancerId: id, ZoneMappings: zones.map(zoneMapping) });
}

/** Changes the zones of an instance to these (UpdateLoadBalancerZones). */
export async function updateZones(cloud: Cloud, id: string, zones: readonly ZoneMap[]): Promise<void> {
    await change(cloud, "UpdateLoadBalancerZones", { LoadBalancerId: id, ZoneMappings: zones.map(zoneMapping) });
}

export const zoneMapping = ({ zoneId, vswitchId, privateIpv4, allocationId }: ZoneMap) =>
    defined({ ZoneId: zoneId, VSwitchId: vswitchId, PrivateIPv4Address: privateIpv4, AllocationId: allocationId });
