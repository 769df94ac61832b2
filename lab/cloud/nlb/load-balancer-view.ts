import type { JsonObject } from "../core";
import type { World } from "../world";
import { tagRows, time } from "./common";
import type { NlbLoadBalancer, ZoneMapping } from "./state";

function zoneView(zone: ZoneMapping, status: string): JsonObject {
    const address = {
        AllocationId: zone.allocationId,
        EniId: zone.eniId,
        PrivateIPv4Address: zone.privateAddress,
        PublicIPv4Address: zone.publicAddress,
        Ipv6Address: zone.ipv6Address,
        PrivateIPv4HcStatus: "Healthy",
        Ipv4LocalAddresses: zone.ipv4LocalAddresses,
        Ipv6LocalAddresses: zone.ipv6LocalAddresses,
    };
    return { Status: status, VSwitchId: zone.vSwitchId, ZoneId: zone.zoneId, LoadBalancerAddresses: [address] };
}

/** An NLB instance, in lists as well as by itself. */
export function loadBalancerView(world: World, lb: NlbLoadBalancer): JsonObject {
    const status = lb.status.now(world.now());
    const { deletionProtection: deletion, modificationProtection: modification } = lb;
    return {
        LoadBalancerId: lb.id,
        LoadBalancerName: lb.name,
        LoadBalancerType: lb.type,
        AddressType: lb.addressType,
        AddressIpVersion: lb.addressIpVersion,
        // Clients depend on this being a text, also for an IPv4 instance.
        Ipv6AddressType: lb.ipv6AddressType,
        VpcId: lb.vpcId,
        // After a package was detached, clients wait for the empty text.
        BandwidthPackageId: lb.bandwidthPackageId,
        CrossZoneEnabled: lb.crossZoneEnabled,
        Cps: lb.cps,
        CreateTime: time(lb.createdAt),
        DNSName: lb.dnsName,
        LoadBalancerBusinessStatus: "Normal",
        LoadBalancerStatus: status,
        RegionId: world.region,
        ResourceGroupId: lb.resourceGroupId,
        LoadBalancerBillingConfig: { PayType: lb.payType },
        DeletionProtectionConfig: {
            Enabled: deletion.enabled,
            ...(deletion.enabled ? { EnabledTime: deletion.enabledTime, Reason: deletion.reason } : {}),
        },
        ModificationProtectionConfig: {
            Status: modification.status,
            ...(modification.status === "ConsoleProtection"
                ? { EnabledTime: modification.enabledTime, Reason: modification.reason }
                : {}),
        },
        SecurityGroupIds: lb.securityGroupIds,
        ZoneMappings: lb.zones.map((zone) => zoneView(zone, "Active")),
        OperationLocks: [],
        Tags: tagRows(lb.tags),
    };
}
