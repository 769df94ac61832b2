import { instanceChargeTypeOf, ipVersionOf, resourceGroupOf, settingsOfPayBySpec } from "../../annotations";
import type { Settings } from "../../schema/settings";
import { type ClusterFacts, compatibilityOf } from "../../schema/facts";
import type { ImmutableFields, ClbLoadBalancer, VSwitchSelector } from "../../model/clb";
import type { Service } from "../../kubernetes/service/service";
import { isAtLeast } from "../../schema/versions";
import { reuseImmutableFields } from "../reuse";
import { sourceRanges } from "../source-ranges";
import { defined } from "../../schema/defined";

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
        ...defined({ name: settings.name }),
        addressType,
        ...(addressType === "intranet" ? { vswitch: buildVSwitch(settings, facts) } : {}),
        ...(addressType === "intranet" && settings.ip !== undefined ? { address: settings.ip } : {}),
        ipVersion: ipVersionOf(settings),
        ...defined({ masterZoneId: settings.masterZoneid, slaveZoneId: settings.slaveZoneid, resourceGroupId }),
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

/** The specification of an instance that is paid for in this way, which is that of its creation and not always that of the model; undefined where it has none. */
export function specFor({ spec }: Pick<ClbLoadBalancer, "spec">, instanceChargeType: string): string | undefined {
    return instanceChargeType === "PayBySpec" ? (spec ?? DEFAULT_SPEC) : undefined;
}

function buildVSwitch({ vswitchId: named }: Settings, facts: ClusterFacts): VSwitchSelector {
    return {
        ...defined({ named }),
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
        instanceChargeType: settings.id === undefined ? requestedChargeType(settings) : settings.instanceChargeType,
        vswitchId: settings.vswitchId,
        masterZoneid: settings.masterZoneid,
        slaveZoneid: settings.slaveZoneid,
        ip: settings.ip,
        ipVersion: ipVersionOf(settings),
        resourceGroupId: settings.resourceGroupId,
        ...reuseImmutableFields(settings),
        loadBalancerType: "clb",
        clusterId: facts.clusterId,
    };
    return Object.fromEntries(
        Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
}

/** How the instance must be paid for; undefined where nothing that is stated depends on it. */
const requestedChargeType = (settings: Settings): ClbLoadBalancer["instanceChargeType"] | undefined =>
    settings.instanceChargeType ?? (settingsOfPayBySpec(settings).length === 0 ? undefined : "PayBySpec");

/** The settings that ask for the value of an immutable field, where that is not asked for by its own name alone. */
export function askedBy(settings: Settings): Readonly<Record<string, readonly string[]>> {
    const instanceChargeType = settings.id === undefined ? settingsOfPayBySpec(settings) : [];
    return instanceChargeType.some((setting) => setting !== "instanceChargeType") ? { instanceChargeType } : {};
}

/** What holds where the Service states nothing, from the creation of its instance on: the resource group of the cluster. Another one changes no instance that there is. */
export function initialGroup(settings: Settings, facts: ClusterFacts): ImmutableFields {
    const resourceGroupId = settings.id === undefined ? resourceGroupOf(settings, facts) : undefined;
    return settings.resourceGroupId !== undefined || resourceGroupId === undefined ? {} : { resourceGroupId };
}

/** The same of a CLB: how instances are paid for by default. */
export function initialCharge(settings: Settings, facts: ClusterFacts): ImmutableFields {
    return settings.id !== undefined || requestedChargeType(settings) !== undefined
        ? {}
        : { instanceChargeType: instanceChargeTypeOf(settings, facts) };
}
