import { resourceGroupOf } from "../../annotations";
import type { ClusterFacts } from "../../schema/facts";
import type { ImmutableFields } from "../../model/clb";
import { nlbAddressType, type NlbLoadBalancer } from "../../model/nlb";
import type { Service } from "../../kubernetes/service/service";
import { admitsEveryone, ipVersionsOf } from "../../kubernetes/service/source-ranges";
import { reuseImmutableFields } from "../reuse";
import { defined } from "../../schema/defined";

/** The instance that a Service specifies. Every documented default is written out, so that removing an annotation restores it. */
export function buildNlbLoadBalancer(service: Service, facts: ClusterFacts): NlbLoadBalancer {
    const { settings } = service;
    const resourceGroupId = resourceGroupOf(settings, facts);
    const ipVersion = settings.ipVersion === "DualStack" ? "DualStack" : "ipv4";
    return {
        ...defined({ name: settings.name, vpcId: facts.vpcId }),
        addressType: nlbAddressType(settings.addressType ?? "internet"),
        ipVersion,
        ...(ipVersion === "DualStack"
            ? { ipv6AddressType: nlbAddressType(settings.ipv6AddressType ?? "intranet") }
            : {}),
        zones: [...(settings.zoneMaps ?? [])].sort((a, b) => (a.zoneId < b.zoneId ? -1 : 1)),
        crossZone: settings.crossZoneEnabled !== "off",
        securityGroupIds: [...new Set(settings.securityGroupIds ?? [])].sort(),
        ...defined({ bandwidthPackageId: settings.bandwidthPackageId, resourceGroupId }),
        deleteProtection: settings.deleteProtection !== "off",
        modificationProtection: settings.modificationProtection ?? "ConsoleProtection",
        additionalTags: settings.additionalResourceTags ?? {},
        preserve: settings.preserveLbOnDelete !== undefined,
        sourceRanges: nlbSourceRanges(service),
    };
}

/** The address ranges that may connect, without duplicates; empty = everyone may. */
function nlbSourceRanges(service: Service): string[] {
    const ranges = [...new Set(service.loadBalancerSourceRanges)].sort();
    return admitsEveryone(ranges, ipVersionsOf("nlb", service.settings)) ? [] : ranges;
}

/**
 * The create-only settings of a Service with an NLB, for the contract to compare with what was established.
 *
 * Only fields that the Service sets or that have a documented default are listed: an unset one cannot conflict. The address type is none: an NLB can be switched.
 */
export function nlbImmutableFields({ settings }: Pick<Service, "settings">, facts: ClusterFacts): ImmutableFields {
    const { resourceGroupId } = settings;
    return {
        loadBalancerType: "nlb",
        clusterId: facts.clusterId,
        // Of an instance that is there already it is judged by what the instance has.
        ...(settings.id === undefined ? { ipVersion: settings.ipVersion ?? "ipv4" } : {}),
        ...defined({ resourceGroupId }),
        ...reuseImmutableFields(settings),
    };
}
