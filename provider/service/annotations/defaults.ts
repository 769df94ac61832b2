import { compatibilityOf, type ClusterFacts, follows } from "../../schema/facts";
import { isAtLeast } from "../../schema/versions";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { rowOf } from "./catalogue";
import type { Default } from "./row";
import type { ListenerProtocol } from "../../schema/protocols";
import type { SettingName, Settings, SettingValue } from "../../schema/settings";

/** Returns the version that a cluster lacks, to complete "needs …", or undefined if it has it. */
export function missingVersion(facts: Pick<ClusterFacts, "compatibility">, since: string): string | undefined {
    const version = compatibilityOf(facts);
    if (isAtLeast(version, since)) return undefined;
    return `Cloud Controller Manager ${since} or later, but the cluster is at ${version}`;
}

/**
 * Returns the documented default of a setting for a cluster, or `undefined` if there is none and the cloud decides.
 *
 * @param protocol of the listener, for defaults of some protocols only. Default: any.
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

/**
 * Returns a setting, or else its default.
 *
 * @throws RangeError if it has no default, or only a default that depends on the cluster.
 */
export function settled<Name extends SettingName>(
    settings: Settings,
    field: Name,
    type: LoadBalancerType,
): SettingValue<Name> {
    const value = settings[field] ?? defaultOf(field, {}, type);
    if (value === undefined) throw new RangeError(`${field} has no default`);
    return value;
}

/** True if the listeners are managed: on a reused instance only with force-override-listeners. */
export const listenersManaged = ({ id, forceOverrideListeners }: Pick<Settings, "id" | "forceOverrideListeners">) =>
    id === undefined || forceOverrideListeners === "true";

/** True if the backends of a port are in a user-managed server group. */
export const isJoined = (
    { vgroupPort = [] }: Pick<Settings, "vgroupPort">,
    { port }: { readonly port: number },
): boolean => vgroupPort.some((entry) => entry.port === port);

/** Creation date from which on Terway clusters use pod ENIs as backends by default. */
const ENI_DEFAULT_SINCE = "2020-08-10";

/**
 * Returns the type of a Service's backends: the setting, else pods in Terway clusters created on or after 2020-08-10
 * (or at an unknown time) and nodes in all others.
 *
 * Source: Configure Classic Load Balancer (CLB) Using Annotations, "Use Pod ENIs as backend servers".
 */
export function backendTypeOf(
    settings: Pick<Settings, "backendType">,
    { networkPlugin, createdAt }: Pick<ClusterFacts, "networkPlugin" | "createdAt">,
): "eni" | "ecs" {
    if (settings.backendType !== undefined) return settings.backendType;
    if (networkPlugin !== "terway") return "ecs";
    return createdAt === undefined || Date.parse(createdAt) >= Date.parse(ENI_DEFAULT_SINCE) ? "eni" : "ecs";
}

/** Resource group of a cluster, whose id may be known only later, and the version that decides if it applies. */
export interface ClusterGroup<Id = string> extends Pick<ClusterFacts, "compatibility"> {
    readonly resourceGroupId?: Id | undefined;
}

/** Returns the resource group for load balancers whose Service names none, or undefined for the account's default. */
export function clusterGroupOf<Id>(facts: ClusterGroup<Id>): Id | undefined {
    return follows(facts, "clusterGroup") ? facts.resourceGroupId : undefined;
}

/**
 * Returns the given settings that only an instance paid for by specification (PayBySpec) has.
 *
 * Source: SLB API, ModifyLoadBalancerInstanceSpec and ModifyLoadBalancerInternetSpec.
 */
export function settingsOfPayBySpec(
    settings: Pick<Settings, "instanceChargeType" | "spec" | "chargeType" | "bandwidth">,
): SettingName[] {
    const byBandwidth = settings.chargeType === "paybybandwidth";
    const given = {
        instanceChargeType: settings.instanceChargeType === "PayBySpec",
        spec: settings.spec !== undefined,
        chargeType: byBandwidth,
        bandwidth: byBandwidth && settings.bandwidth !== undefined,
    };
    return (Object.keys(given) as (keyof typeof given)[]).filter((setting) => given[setting]);
}

/**
 * Returns the charge type of an instance. Default: PayBySpec for an instance paid for by bandwidth, since the cloud
 * sells the other kind by traffic only, or else by the version.
 *
 * Source: SLB API, CreateLoadBalancer, InternetChargeType.
 */
export function instanceChargeTypeOf(
    settings: Pick<Settings, "instanceChargeType" | "chargeType">,
    facts: Pick<ClusterFacts, "compatibility">,
): "PayBySpec" | "PayByCLCU" {
    if (settings.instanceChargeType !== undefined) return settings.instanceChargeType;
    if (settings.chargeType === "paybybandwidth") return "PayBySpec";
    return defaultOf("instanceChargeType", facts) ?? "PayBySpec";
}

/** Returns the IP version of a CLB's address: the setting, but IPv4 for an internal load balancer, as in the cloud. */
export const ipVersionOf = (settings: Pick<Settings, "addressType" | "ipVersion">): "ipv4" | "ipv6" =>
    settings.addressType !== "intranet" && settings.ipVersion === "ipv6" ? "ipv6" : "ipv4";
