import { instanceChargeTypeOf, ipVersionOf, resourceGroupOf } from "../../annotations";
import type { Settings } from "../../schema/settings";
import { type ClusterFacts, compatibilityOf } from "../../schema/facts";
import type { ImmutableFields, ClbLoadBalancer, VSwitchSelector } from "../../model/clb/load-balancer";
import type { Service } from "../../kubernetes/service/service";
import { isAtLeast } from "../../schema/versions";
import { reuseImmutableFields } from "../reuse";
import { sourceRanges } from "../source-ranges";

/** Bandwidth of a pay-by-bandwidth instance that gives none, Mbps. Source: "Configure CLB using annotations", pay-by-bandwidth instance. */
const DEFAULT_BANDWIDTH = 50;

/** Specification of a PayBySpec instance that gives none. Source: "Configure CLB using annotations", instance type. */
const DEFAULT_SPEC = "slb.s1.small";

/** From this CCM on an internal instance without a named vSwitch gets an available one. Source: "Configure CLB using annotations", internal CLB instance. */
const AVAILABLE_SINCE = "v2.13.0";

/** The instance that a Service specifies. Every documented default is written out, so that removing an annotation restores it. */
export function buildClbLoadBalancer(service: Service, facts: ClusterFacts): ClbLoadBalancer {
    return buildInstance(service.settings, facts, sourceRanges(service));
}

/** An instance from its settings alone. */
export function buildInstance(
    settings: Settings,
    facts: ClusterFacts,
    sourceRanges: readonly string[],
): ClbLoadBalancer {
    const addressType = settings.addressType ?? "internet";
    const instanceChargeType = instanceChargeTypeOf(settings, facts);
    const resourceGroupId = resourceGroupOf(settings, facts);
    const byBandwidth = settings.chargeType === "paybybandwidth";
    return {
        ...(settings.name === undefined ? {} : { name: settings.name }),
        addressType,
        ...(addressType === "intranet" ? { vswitch: buildVSwitch(settings, facts) } : {}),
        ...(addressType === "intranet" && settings.ip !== undefined ? { address: settings.ip } : {}),
        ipVersion: ipVersionOf(settings),
        ...(settings.masterZoneid === undefined ? {} : { masterZoneId: settings.masterZoneid }),
        ...(settings.slaveZoneid === undefined ? {} : { slaveZoneId: settings.slaveZoneid }),
        ...(resourceGroupId === undefined ? {} : { resourceGroupId }),
        instanceChargeType,
        ...(instanceChargeType === "PayBySpec" ? { spec: settings.spec ?? DEFAULT_SPEC } : {}),
        ...(addressType === "internet" ? { internetChargeType: byBandwidth ? "PayByBandwidth" : "PayByTraffic" } : {}),
        ...(addressType === "internet" && byBandwidth ? { bandwidth: settings.bandwidth ?? DEFAULT_BANDWIDTH } : {}),
        deleteProtection: settings.deleteProtection ?? "on",
        modificationProtection: settings.modificationProtection ?? "ConsoleProtection",
        additionalTags: settings.additionalResourceTags ?? {},
        preserve: settings.preserveLbOnDelete !== undefined,
        sourceRanges,
    };
}

function buildVSwitch({ vswitchId: named }: Settings, facts: ClusterFacts): VSwitchSelector {
    return {
        ...(named === undefined ? {} : { named }),
        candidates: facts.vswitches ?? [],
        rule: isAtLeast(compatibilityOf(facts), AVAILABLE_SINCE) ? "available" : "first",
    };
}

/**
 * The create-only settings, for the contract to compare with what was established.
 *
 * Only fields that are set or that have a documented default are listed: an unset one cannot conflict.
 */
export function immutableFields(settings: Settings, facts: ClusterFacts): ImmutableFields {
    const optional: Record<string, string | undefined> = {
        addressType: settings.addressType ?? "internet",
        instanceChargeType:
            settings.id === undefined ? instanceChargeTypeOf(settings, facts) : settings.instanceChargeType,
        vswitchId: settings.vswitchId,
        masterZoneid: settings.masterZoneid,
        slaveZoneid: settings.slaveZoneid,
        ip: settings.ip,
        ipVersion: settings.ipVersion ?? "ipv4",
        resourceGroupId: settings.resourceGroupId,
        ...reuseImmutableFields(settings),
        loadBalancerType: "clb",
        clusterId: facts.clusterId,
    };
    return Object.fromEntries(
        Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
}

/** What holds where the Service states nothing, from the creation of its instance on: the resource group of the cluster. It changes for no instance that there is. */
export function initialFields(settings: Settings, facts: ClusterFacts): ImmutableFields {
    const resourceGroupId = settings.id === undefined ? resourceGroupOf(settings, facts) : undefined;
    return settings.resourceGroupId !== undefined || resourceGroupId === undefined ? {} : { resourceGroupId };
}
