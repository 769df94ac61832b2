/** What can be changed of an NLB instance, one function for each call that the cloud takes. */
import type { Cloud } from "../http/client";
import { change } from "./jobs";
import { defined } from "../../schema/defined";

/** Makes an instance public or internal (UpdateLoadBalancerAddressTypeConfig). Its addresses change. */
export async function setAddressType(cloud: Cloud, id: string, addressType: "Internet" | "Intranet"): Promise<void> {
    await change(cloud, "UpdateLoadBalancerAddressTypeConfig", { LoadBalancerId: id, AddressType: addressType });
}

/** Opens or closes the IPv6 addresses to the Internet (EnableLoadBalancerIpv6Internet, DisableLoadBalancerIpv6Internet). */
export async function setIpv6AddressType(
    cloud: Cloud,
    id: string,
    addressType: "Internet" | "Intranet",
): Promise<void> {
    await change(cloud, `${addressType === "Internet" ? "Enable" : "Disable"}LoadBalancerIpv6Internet`, {
        LoadBalancerId: id,
    });
}

/** Sets name and traffic across zones; what is not given stays (UpdateLoadBalancerAttribute). */
export async function updateNlbLoadBalancer(
    cloud: Cloud,
    id: string,
    attributes: { readonly name?: string; readonly crossZone?: boolean },
): Promise<void> {
    const { name, crossZone } = attributes;
    await change(cloud, "UpdateLoadBalancerAttribute", {
        LoadBalancerId: id,
        ...defined({ LoadBalancerName: name, CrossZoneEnabled: crossZone }),
    });
}

/** Lets an instance join and leave security groups, in this order: without any it lets everyone in (LoadBalancerJoinSecurityGroup, LoadBalancerLeaveSecurityGroup). */
export async function changeSecurityGroups(
    cloud: Cloud,
    id: string,
    before: readonly string[],
    after: readonly string[],
): Promise<void> {
    const [joined, left] = [
        after.filter((group) => !before.includes(group)),
        before.filter((group) => !after.includes(group)),
    ];
    if (joined.length > 0)
        await change(cloud, "LoadBalancerJoinSecurityGroup", { LoadBalancerId: id, SecurityGroupIds: joined });
    if (left.length > 0)
        await change(cloud, "LoadBalancerLeaveSecurityGroup", { LoadBalancerId: id, SecurityGroupIds: left });
}

/**
 * Puts an instance into another Internet Shared Bandwidth package; it can be in one only (DetachCommonBandwidthPackageFromLoadBalancer,
 * AttachCommonBandwidthPackageToLoadBalancer).
 */
export async function changeBandwidthPackage(
    cloud: Cloud,
    id: string,
    before: string | undefined,
    after: string,
): Promise<void> {
    if (before === after) return;
    if (before !== undefined)
        await change(cloud, "DetachCommonBandwidthPackageFromLoadBalancer", {
            LoadBalancerId: id,
            BandwidthPackageId: before,
        });
    await change(cloud, "AttachCommonBandwidthPackageToLoadBalancer", {
        LoadBalancerId: id,
        BandwidthPackageId: after,
    });
}

/** Switches protections; those not given stay (UpdateLoadBalancerProtection). */
export async function setProtection(
    cloud: Cloud,
    id: string,
    {
        deletion,
        modification,
    }: { readonly deletion?: boolean; readonly modification?: "ConsoleProtection" | "NonProtection" },
): Promise<void> {
    await change(cloud, "UpdateLoadBalancerProtection", {
        LoadBalancerId: id,
        ...defined({ DeletionProtectionEnabled: deletion, ModificationProtectionStatus: modification }),
    });
}
