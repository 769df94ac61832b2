/** What holds where nothing is set. */

import { compatibilityOf, type ClusterFacts } from "../schema/facts";
import { isAtLeast } from "../schema/versions";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import { rowOf } from "./catalogue";
import type { Default } from "./row";
import type { ListenerProtocol } from "../schema/protocols";
import type { SettingName, Settings, SettingValue } from "../schema/settings";

/**
 * The documented default of a setting for a cluster, `undefined` if none is documented and the cloud decides.
 *
 * @param protocol of the listener, for defaults that do not hold for all. Default: any.
 */
export function defaultOf<Name extends SettingName>(
    field: Name,
    facts: Pick<ClusterFacts, "compatibility">,
    type: LoadBalancerType = "clb",
    protocol?: ListenerProtocol,
): SettingValue<Name> | undefined {
    const defaults = (rowOf(field, type)?.defaults ?? []) as unknown as readonly Default<SettingValue<Name>>[];
    const version = compatibilityOf(facts);
    const holds = ({ since, protocols }: Default<unknown>): boolean =>
        (since === undefined || isAtLeast(version, since)) &&
        (protocols === undefined || protocol === undefined || protocols.includes(protocol));
    return defaults.findLast(holds)?.value;
}

/** A setting, or else its default, for settings that have one whatever the cluster. */
export function settled<Name extends SettingName>(
    settings: Settings,
    field: Name,
    type: LoadBalancerType,
): SettingValue<Name> {
    const value = settings[field] ?? defaultOf(field, {}, type);
    if (value === undefined) throw new RangeError(`${field} has no default`);
    return value;
}

/** The day from which on Terway clusters use pod ENIs as backends by default. */
export const ENI_DEFAULT_SINCE = "2020-08-10";

/**
 * What the backends of a Service are. An annotation always wins; without one, pods in Terway clusters created on or after
 * {@link ENI_DEFAULT_SINCE} (or at an unknown time) and nodes in all others.
 *
 * Source: Configure Classic Load Balancer (CLB) Using Annotations, "Use Pod ENIs as backend servers".
 */
export function backendTypeOf(
    settings: Pick<Settings, "backendType">,
    facts: Pick<ClusterFacts, "networkPlugin" | "createdAt">,
): "eni" | "ecs" {
    if (settings.backendType !== undefined) return settings.backendType;
    if (facts.networkPlugin !== "terway") return "ecs";
    return facts.createdAt === undefined || Date.parse(facts.createdAt) >= Date.parse(ENI_DEFAULT_SINCE)
        ? "eni"
        : "ecs";
}

/** The Cloud Controller Manager from which on load balancers are made in the resource group of their cluster. Source: its release notes. */
const CLUSTER_GROUP_SINCE = "v2.9.1";

/** The resource group of an instance: the one that is asked for, else that of the cluster, where it is known; undefined = the account's default. */
export function resourceGroupOf(
    settings: Pick<Settings, "resourceGroupId">,
    facts: Pick<ClusterFacts, "resourceGroupId" | "compatibility">,
): string | undefined {
    return (
        settings.resourceGroupId ??
        (isAtLeast(compatibilityOf(facts), CLUSTER_GROUP_SINCE) ? facts.resourceGroupId : undefined)
    );
}

/** How an instance is paid for by default: by specification before Cloud Controller Manager v2.5.0, by usage from then on. */
function chargeTypeDefault(compatibility?: string): "PayBySpec" | "PayByCLCU" {
    return defaultOf("instanceChargeType", compatibility === undefined ? {} : { compatibility }) ?? "PayBySpec";
}

/** The settings, of those that are stated, that only an instance has which is paid for by specification (PayBySpec). Source: SLB API, ModifyLoadBalancerInstanceSpec and ModifyLoadBalancerInternetSpec. */
export function settingsOfPayBySpec(
    settings: Pick<Settings, "instanceChargeType" | "spec" | "chargeType" | "bandwidth">,
): SettingName[] {
    const byBandwidth = settings.chargeType === "paybybandwidth";
    const stated = {
        instanceChargeType: settings.instanceChargeType === "PayBySpec",
        spec: settings.spec !== undefined,
        chargeType: byBandwidth,
        bandwidth: byBandwidth && settings.bandwidth !== undefined,
    };
    return (["instanceChargeType", "spec", "chargeType", "bandwidth"] as const).filter((setting) => stated[setting]);
}

/**
 * How an instance is paid for. One whose traffic is paid for by bandwidth is paid for by specification by default: the cloud sells the other kind by traffic only.
 *
 * Source: SLB API, CreateLoadBalancer, InternetChargeType.
 */
export function instanceChargeTypeOf(
    settings: Pick<Settings, "instanceChargeType" | "chargeType">,
    facts: Pick<ClusterFacts, "compatibility">,
): "PayBySpec" | "PayByCLCU" {
    return (
        settings.instanceChargeType ??
        (settings.chargeType === "paybybandwidth" ? "PayBySpec" : chargeTypeDefault(facts.compatibility))
    );
}

/**
 * The IP version of a CLB's address. Internal load balancers have IPv4 addresses, whatever is asked for: neither the cloud nor the Alibaba Cloud provider
 * knows other ones.
 */
export function ipVersionOf(settings: Pick<Settings, "addressType" | "ipVersion">): "ipv4" | "ipv6" {
    return settings.addressType !== "intranet" && settings.ipVersion === "ipv6" ? "ipv6" : "ipv4";
}
