import {
    instanceChargeTypeOf,
    ipVersionOf,
    clusterGroupOf,
    type ClusterGroup,
    settingsOfPayBySpec,
} from "../../service/annotations";
import type { Service } from "../../service/service";
import { admitsAll } from "../../service/source-ranges";
import type { ClbLoadBalancer, VSwitchSelector } from "../model";
import type { ImmutableFields } from "../../schema/settings";
import { familyOf } from "../../schema/cidr";
import { defined } from "../../schema/defined";
import { type ClusterFacts, compatibilityOf } from "../../schema/facts";
import type { Settings } from "../../schema/settings";
import { isAtLeast } from "../../schema/versions";
import { managesListeners, reuseImmutableFields } from "../../service/reuse";

/** Bandwidth of a pay-by-bandwidth instance, Mbps. Source: "Configure CLB using annotations", pay-by-bandwidth. */
const DEFAULT_BANDWIDTH = 50;

/** Specification of a PayBySpec instance. Source: "Configure CLB using annotations", instance type. */
const DEFAULT_SPEC = "slb.s1.small";

/** From this CCM on an internal instance without a named vSwitch gets an available one. Source: the same. */
const AVAILABLE_SINCE = "v2.13.0";

/** Builds the instance of a Service. Documented defaults are written out: removing an annotation restores them. */
export function buildClbLoadBalancer(service: Service, facts: ClusterFacts): ClbLoadBalancer {
    return buildInstance(service.settings, facts, sourceRanges(service));
}

/** Builds an instance from settings. */
export function buildInstance(
    settings: Settings,
    facts: ClusterFacts,
    sourceRanges: readonly string[],
): ClbLoadBalancer {
    const addressType = settings.addressType ?? "internet";
    const instanceChargeType = instanceChargeTypeOf(settings, facts);
    const internal = addressType === "intranet";
    const byBandwidth = settings.chargeType === "paybybandwidth";
    return {
        ...defined({ name: settings.name }),
        addressType,
        ...(internal ? { vswitch: buildVSwitch(settings, facts), ...defined({ address: settings.ip }) } : {}),
        ipVersion: ipVersionOf(settings),
        ...defined({
            masterZoneId: settings.masterZoneid,
            slaveZoneId: settings.slaveZoneid,
            resourceGroupId: settings.resourceGroupId,
        }),
        instanceChargeType,
        ...(instanceChargeType === "PayBySpec" ? { spec: settings.spec ?? DEFAULT_SPEC } : {}),
        ...(internal ? {} : { internetChargeType: byBandwidth ? "PayByBandwidth" : "PayByTraffic" }),
        ...(!internal && byBandwidth ? { bandwidth: settings.bandwidth ?? DEFAULT_BANDWIDTH } : {}),
        deleteProtection: settings.deleteProtection ?? "on",
        modificationProtection: settings.modificationProtection ?? "ConsoleProtection",
        additionalTags: settings.additionalResourceTags ?? {},
        preserve: settings.preserveLbOnDelete !== undefined,
        sourceRanges,
    };
}

/** Returns the specification of an instance by its charge type, which may differ from the model's. */
export function specFor({ spec }: Pick<ClbLoadBalancer, "spec">, instanceChargeType: string): string | undefined {
    return instanceChargeType === "PayBySpec" ? (spec ?? DEFAULT_SPEC) : undefined;
}

function buildVSwitch({ vswitchId: named }: Settings, facts: ClusterFacts): VSwitchSelector {
    return {
        ...defined({ named }),
        rule: isAtLeast(compatibilityOf(facts), AVAILABLE_SINCE) ? "available" : "first",
    };
}

/**
 * Returns the address ranges that may connect, of the load balancer's IP version; empty = all. A list by annotation has
 * priority; without managed listeners there is nothing to restrict.
 */
export function sourceRanges(service: Service): string[] {
    const { settings, loadBalancerSourceRanges } = service;
    if (!managesListeners(service) || (settings.aclStatus === "on" && settings.aclId !== undefined)) return [];
    const version = ipVersionOf(settings);
    const ranges = [...new Set(loadBalancerSourceRanges.filter((range) => familyOf(range) === version))];
    return admitsAll(ranges, version) ? [] : ranges;
}

/**
 * Returns the create-only settings, for the contract: those that are set or that have a documented default. An unset
 * one cannot conflict.
 */
export function immutableFields(settings: Settings, { clusterId }: Pick<ClusterFacts, "clusterId">): ImmutableFields {
    const { vswitchId, masterZoneid, slaveZoneid, ip, resourceGroupId } = settings;
    return defined({
        addressType: settings.addressType ?? "internet",
        instanceChargeType: settings.id === undefined ? requestedChargeType(settings) : settings.instanceChargeType,
        vswitchId,
        masterZoneid,
        slaveZoneid,
        ip,
        ipVersion: ipVersionOf(settings),
        resourceGroupId,
        ...reuseImmutableFields(settings),
        loadBalancerType: "clb",
        clusterId,
    });
}

/** Returns the charge type that the settings require; undefined if they allow both. */
const requestedChargeType = (settings: Settings): ClbLoadBalancer["instanceChargeType"] | undefined =>
    settings.instanceChargeType ?? (settingsOfPayBySpec(settings).length === 0 ? undefined : "PayBySpec");

/** Returns the settings that require an immutable field, if others than its own do. */
export function askedBy(settings: Settings): Readonly<Record<string, readonly string[]>> {
    const instanceChargeType = settings.id === undefined ? settingsOfPayBySpec(settings) : [];
    return instanceChargeType.some((setting) => setting !== "instanceChargeType") ? { instanceChargeType } : {};
}

/**
 * Returns the resource group of the cluster, if it applies: it holds from the creation of the instance on.
 *
 * @typeParam Id type of the cluster's id, which may be known only later
 */
export function initialGroup<Id>(settings: Settings, facts: ClusterGroup<Id>): { readonly resourceGroupId?: Id } {
    if (settings.id !== undefined || settings.resourceGroupId !== undefined) return {};
    return defined({ resourceGroupId: clusterGroupOf(facts) });
}

/** Returns the default charge type of a CLB, if it applies: it holds from the creation of the instance on. */
export function initialCharge(settings: Settings, facts: ClusterFacts): ImmutableFields {
    return settings.id !== undefined || requestedChargeType(settings) !== undefined
        ? {}
        : { instanceChargeType: instanceChargeTypeOf(settings, facts) };
}
