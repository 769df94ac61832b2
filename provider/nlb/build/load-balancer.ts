import type { Service } from "../../service/service";
import { admitsEveryone, ipVersionsOf } from "../../service/source-ranges";
import type { ImmutableFields } from "../../schema/settings";
import { nlbAddressType, type NlbLoadBalancer } from "../model";
import { defined } from "../../schema/defined";
import type { ClusterFacts } from "../../schema/facts";
import { reuseImmutableFields, sortedIds, sortedZones } from "../../service/reuse";

/** Builds the instance of a Service. Documented defaults are written out: removing an annotation restores them. */
export function buildNlbLoadBalancer(service: Service): NlbLoadBalancer {
    const { settings } = service;
    const dualStack = settings.ipVersion === "DualStack";
    return {
        ...defined({ name: settings.name }),
        addressType: nlbAddressType(settings.addressType ?? "internet"),
        ipVersion: dualStack ? "DualStack" : "ipv4",
        ...(dualStack ? { ipv6AddressType: nlbAddressType(settings.ipv6AddressType ?? "intranet") } : {}),
        zones: sortedZones(settings.zoneMaps ?? []),
        crossZone: settings.crossZoneEnabled !== "off",
        securityGroupIds: sortedIds(settings.securityGroupIds ?? []),
        ...defined({
            bandwidthPackageId: settings.bandwidthPackageId,
            resourceGroupId: settings.resourceGroupId,
        }),
        deleteProtection: settings.deleteProtection !== "off",
        modificationProtection: settings.modificationProtection ?? "ConsoleProtection",
        additionalTags: settings.additionalResourceTags ?? {},
        preserve: settings.preserveLbOnDelete !== undefined,
        sourceRanges: nlbSourceRanges(service),
    };
}

/** Returns the address ranges that may connect; empty = all. */
function nlbSourceRanges(service: Service): string[] {
    const ranges = sortedIds(service.loadBalancerSourceRanges);
    return admitsEveryone(ranges, ipVersionsOf("nlb", service.settings)) ? [] : ranges;
}

/**
 * Returns the create-only settings of a Service with an NLB, for the contract: those that the Service sets or that have
 * a documented default. The address type is not create-only: an NLB can be switched.
 */
export function nlbImmutableFields(
    { settings }: Pick<Service, "settings">,
    { clusterId }: Pick<ClusterFacts, "clusterId">,
): ImmutableFields {
    const { id, ipVersion = "ipv4", resourceGroupId } = settings;
    return {
        loadBalancerType: "nlb",
        clusterId,
        // The IP version of an existing instance is compared with the observed one.
        ...(id === undefined ? { ipVersion } : {}),
        ...defined({ resourceGroupId }),
        ...reuseImmutableFields(settings),
    };
}
