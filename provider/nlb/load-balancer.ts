/** Instance of an NLB: type, building, reading and writing. */
import type { ClusterFacts } from "../schema/facts";
import { defined } from "../schema/defined";
import { PROTECTION_REASON } from "../schema/names";
import type { InstanceAsObserved } from "../schema/observed";
import type { ImmutableFields, OnOff, ZoneMap } from "../schema/settings";
import type { Service } from "../service/service";
import { type ReusedAttributes, reuseImmutableFields, sortedIds, sortedZones } from "../service/reuse";
import { admitsAll, admitsEveryone, EVERYONE, ipVersionsOf } from "../service/source-ranges";
import * as api from "../cloud/http/answer";
import { keepAddresses, type ObservedZone, updateZones, ZONE, zoneMapping } from "./zones";
import type { Cloud } from "../cloud/http/cloud";
import { ignoreNotFound } from "../cloud/http/error";
import { batches, listByToken, readObject } from "../cloud/http/page";
import { change, dryRun, type DryRunAnswer } from "./jobs";

type AddressType = "internet" | "intranet";

/** Returns an address type as the API writes it. Source: NLB API, CreateLoadBalancer, AddressType. */
export const nlbAddressType = (type: AddressType): string => (type === "internet" ? "Internet" : "Intranet");

export interface NlbLoadBalancer {
    /** Name from the annotation. If absent, it is derived from the Service's UID. */
    readonly name?: string;
    readonly addressType: AddressType;
    readonly ipVersion: "ipv4" | "DualStack";
    /** Only for `DualStack`. */
    readonly ipv6AddressType?: AddressType;
    /** At least two, sorted. */
    readonly zoneMaps: readonly ZoneMap[];
    /** `on` if traffic crosses zones. */
    readonly crossZoneEnabled: OnOff;
    /** Security groups by annotation, without that of the source ranges. */
    readonly securityGroupIds: readonly string[];
    /** Internet Shared Bandwidth package, if there is one. */
    readonly bandwidthPackageId?: string;
    /** Absent = the cloud chooses. */
    readonly resourceGroupId?: string;
    readonly deleteProtection: OnOff;
    readonly modificationProtection: "ConsoleProtection" | "NonProtection";
    readonly additionalTags: Readonly<Record<string, string>>;
    /** True if instance, listeners and server groups are preserved when the Service is deleted. */
    readonly preserve: boolean;
    /** Address ranges that may connect, for a managed security group. If there are none, there is no group. */
    readonly sourceRanges: readonly string[];
}

/** Builds the instance of a Service. Documented defaults are written out: removing an annotation restores them. */
export function buildNlbLoadBalancer(service: Service): NlbLoadBalancer {
    const { settings } = service;
    const dualStack = settings.ipVersion === "DualStack";
    const ranges = sortedIds(service.loadBalancerSourceRanges);
    return defined({
        name: settings.name,
        addressType: settings.addressType ?? "internet",
        ipVersion: dualStack ? "DualStack" : "ipv4",
        ipv6AddressType: dualStack ? (settings.ipv6AddressType ?? "intranet") : undefined,
        zoneMaps: sortedZones(settings.zoneMaps ?? []),
        crossZoneEnabled: settings.crossZoneEnabled ?? "on",
        securityGroupIds: sortedIds(settings.securityGroupIds ?? []),
        bandwidthPackageId: settings.bandwidthPackageId,
        resourceGroupId: settings.resourceGroupId,
        deleteProtection: settings.deleteProtection ?? "on",
        modificationProtection: settings.modificationProtection ?? "ConsoleProtection",
        additionalTags: settings.additionalResourceTags ?? {},
        preserve: settings.preserveLbOnDelete !== undefined,
        sourceRanges: admitsEveryone(ranges, ipVersionsOf("nlb", settings)) ? [] : ranges,
    });
}

/**
 * Returns the arguments of the alicloud plugin for an instance, but for its name, VPC, zones, security groups and
 * resource group. Documented defaults are written out: console edits show as drift, and removed annotations return to
 * their defaults.
 *
 * @param tags ownership tags
 */
export function nlbInstanceArguments<Tag>(model: NlbLoadBalancer, tags: Readonly<Record<string, Tag>>) {
    return {
        addressType: nlbAddressType(model.addressType),
        addressIpVersion: model.ipVersion,
        ipv6AddressType: model.ipv6AddressType && nlbAddressType(model.ipv6AddressType),
        crossZoneEnabled: model.crossZoneEnabled === "on",
        deletionProtectionEnabled: model.deleteProtection === "on",
        modificationProtectionStatus: model.modificationProtection,
        modificationProtectionReason:
            model.modificationProtection === "ConsoleProtection" ? PROTECTION_REASON : undefined,
        tags: { ...model.additionalTags, ...tags },
    };
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
    return defined({
        loadBalancerType: "nlb",
        clusterId,
        // The IP version of an existing instance is compared with the observed version.
        ipVersion: id === undefined ? ipVersion : undefined,
        resourceGroupId,
        ...reuseImmutableFields(settings),
    });
}

/** Returns the rules for connections, by source range, empty if everyone may connect. */
export function sourceRules(
    model: Pick<NlbLoadBalancer, "sourceRanges" | "ipVersion">,
): Record<string, "accept" | "drop"> {
    const { sourceRanges, ipVersion } = model;
    if (sourceRanges.length === 0) return {};
    const versions = ipVersion === "DualStack" ? (["ipv4", "ipv6"] as const) : (["ipv4"] as const);
    const restricted = versions.filter((version) => !admitsAll(sourceRanges, version));
    return Object.fromEntries([
        ...sourceRanges.map((range) => [range, "accept"] as const),
        ...restricted.map((version) => [EVERYONE[version], "drop"] as const),
    ]);
}

const ipVersionOf = (word: string | undefined): NlbLoadBalancer["ipVersion"] | undefined =>
    word === undefined ? undefined : /^dualstack$/i.test(word) ? "DualStack" : "ipv4";

const addressType = api.converted(api.text, (word) => word?.toLowerCase() as AddressType | undefined);

const switched = (on: boolean): OnOff => (on ? "on" : "off");

const LOAD_BALANCER = api.fields({
    id: ["LoadBalancerId", api.requiredText],
    name: ["LoadBalancerName", api.defaulted(api.text, "")],
    /** `Provisioning`, `Active`, `Configuring`, … */
    status: ["LoadBalancerStatus", api.text],
    /** `Normal`, or `Abnormal` while a bill is unpaid. */
    businessStatus: ["LoadBalancerBusinessStatus", api.text],
    /** DNS name. */
    address: ["DNSName", api.text],
    addressType: ["AddressType", addressType],
    ipVersion: ["AddressIpVersion", api.converted(api.text, ipVersionOf)],
    /** Absent without IPv6 addresses. */
    ipv6AddressType: ["Ipv6AddressType", addressType],
    vpcId: ["VpcId", api.text],
    resourceGroupId: ["ResourceGroupId", api.text],
    /** Absent if it is in no package. */
    bandwidthPackageId: ["BandwidthPackageId", api.text],
    crossZoneEnabled: ["CrossZoneEnabled", api.converted(api.truth, (enabled) => switched(enabled !== false))],
    securityGroupIds: ["SecurityGroupIds", api.converted(api.optional(api.textList), (ids = []) => ids.toSorted())],
    deleteProtection: [
        "DeletionProtectionConfig",
        api.converted(api.optional(api.object({ Enabled: api.truth })), (config) => switched(config?.Enabled === true)),
    ],
    modification: [
        "ModificationProtectionConfig",
        api.defaulted(api.optional(api.fields({ status: ["Status", api.text], reason: ["Reason", api.text] })), {}),
    ],
    /** Most new connections per second, absent if not limited. */
    cps: ["Cps", api.converted(api.number, (cps) => (cps === 0 ? undefined : cps))],
    zoneMaps: ["ZoneMappings", api.converted(api.list(ZONE), (zones = []) => sortedZones(zones))],
    tags: ["Tags", api.tagList()],
});

export interface ObservedNlbLoadBalancer extends InstanceAsObserved<NlbLoadBalancer> {
    readonly kind: "nlb";
    /** Sorted, and with the addresses that the cloud chose. */
    readonly zoneMaps: readonly ObservedZone[];
    /** Sorted. */
    readonly securityGroupIds: readonly string[];
    readonly deleteProtection: OnOff;
    readonly tags: api.Tags;
    /** Most new connections per second, absent if not limited. No Service sets it. */
    readonly cps?: number;
}

const INSTANCE = api.converted(
    LOAD_BALANCER,
    ({ modification, businessStatus, status, ...instance }): ObservedNlbLoadBalancer => ({
        kind: "nlb",
        ...instance,
        modificationProtection: modification.status === "ConsoleProtection" ? "ConsoleProtection" : "NonProtection",
        ...defined({
            // An unpaid bill locks an instance in every status but that in which it can only be deleted.
            status: businessStatus === "Abnormal" && status !== "CreateFailed" ? "locked" : status?.toLowerCase(),
            modificationProtectionReason: modification.reason,
        }),
    }),
);

/** Returns the instance with this id, or undefined if there is none (GetLoadBalancerAttribute). */
export function getNlbLoadBalancer(cloud: Cloud, id: string): Promise<ObservedNlbLoadBalancer | undefined> {
    return readObject(cloud, "nlb", "GetLoadBalancerAttribute", { LoadBalancerId: id }, INSTANCE, "loadBalancer");
}

/** Returns the instances with a name, which is not unique, a DNS name or tags (ListLoadBalancers, every page). */
export function findNlbLoadBalancers(
    cloud: Cloud,
    by: { readonly name: string } | { readonly address: string } | { readonly tags: api.Tags },
): Promise<ObservedNlbLoadBalancer[]> {
    const filter =
        "name" in by
            ? { LoadBalancerNames: [by.name] }
            : "address" in by
              ? { DNSName: by.address }
              : { Tag: tagsOf(by.tags) };
    const field = ["LoadBalancers", INSTANCE] as const;
    return listByToken(cloud, "nlb", "ListLoadBalancers", { ...filter, MaxResults: 100 }, field);
}

const tagsOf = (tags: api.Tags) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

/** Deletes an instance with its listeners, if it exists (DeleteLoadBalancer). Fails while it is protected. */
export async function deleteNlbLoadBalancer(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("loadBalancer", change(cloud, "DeleteLoadBalancer", { LoadBalancerId: id }));
}

/** Properties of a new instance that decide if the cloud can create it. */
export interface NlbCreateSpec {
    readonly name?: string;
    readonly addressType: string;
    readonly addressIpVersion: string;
    readonly resourceGroupId?: string;
    readonly zones: readonly ZoneMap[];
}

/** Asks if the cloud would create an instance (CreateLoadBalancer with DryRun). */
export function wouldCreate(
    cloud: Cloud,
    vpcId: string,
    { name, addressType, addressIpVersion, resourceGroupId, zones }: NlbCreateSpec,
): Promise<DryRunAnswer> {
    return dryRun(cloud, "CreateLoadBalancer", {
        LoadBalancerName: name,
        VpcId: vpcId,
        AddressType: addressType,
        AddressIpVersion: addressIpVersion,
        ResourceGroupId: resourceGroupId,
        ZoneMappings: zones.map(zoneMapping),
    });
}

/**
 * Sets attributes of an instance, in CCM's order: zones depend on the address type. Others stay.
 *
 * Joins security groups before it leaves others: an instance without a group accepts every client.
 */
export async function setNlbAttributes(cloud: Cloud, id: string, attributes: ReusedAttributes): Promise<void> {
    const { name, addressType, zoneMaps, securityGroupIds, ipv6AddressType, bandwidthPackageId } = attributes;
    const { crossZoneEnabled, deleteProtection, modificationProtection } = attributes;
    const set = (action: string, params: Readonly<Record<string, unknown>> = {}) =>
        change(cloud, action, { LoadBalancerId: id, ...params });
    if (addressType !== undefined)
        await set("UpdateLoadBalancerAddressTypeConfig", { AddressType: nlbAddressType(addressType) });
    if (zoneMaps !== undefined || securityGroupIds !== undefined || bandwidthPackageId !== undefined) {
        const before = await getNlbLoadBalancer(cloud, id);
        const { zoneMaps: zones = [], securityGroupIds: groups = [], bandwidthPackageId: formerPackage } = before ?? {};
        if (zoneMaps !== undefined)
            await updateZones(
                cloud,
                id,
                zoneMaps.map((zone) => keepAddresses(zone, zones)),
            );
        const joined = (securityGroupIds ?? []).filter((group) => !groups.includes(group));
        const left = groups.filter((group) => securityGroupIds?.includes(group) === false);
        if (joined.length > 0) await set("LoadBalancerJoinSecurityGroup", { SecurityGroupIds: joined });
        if (left.length > 0) await set("LoadBalancerLeaveSecurityGroup", { SecurityGroupIds: left });
        if (bandwidthPackageId !== undefined && bandwidthPackageId !== formerPackage) {
            if (formerPackage !== undefined)
                await set("DetachCommonBandwidthPackageFromLoadBalancer", { BandwidthPackageId: formerPackage });
            await set("AttachCommonBandwidthPackageToLoadBalancer", { BandwidthPackageId: bandwidthPackageId });
        }
    }
    if (ipv6AddressType !== undefined)
        await set(`${ipv6AddressType === "internet" ? "Enable" : "Disable"}LoadBalancerIpv6Internet`);
    if (name !== undefined || crossZoneEnabled !== undefined) {
        const CrossZoneEnabled = crossZoneEnabled && crossZoneEnabled === "on";
        await set("UpdateLoadBalancerAttribute", defined({ LoadBalancerName: name, CrossZoneEnabled }));
    }
    if (deleteProtection !== undefined || modificationProtection !== undefined) {
        const deletion = deleteProtection && deleteProtection === "on";
        await setProtection(cloud, id, defined({ deletion, modification: modificationProtection }));
    }
}

/** Switches protections, and leaves those that are undefined (UpdateLoadBalancerProtection). */
export async function setProtection(
    cloud: Cloud,
    id: string,
    protection: { readonly deletion?: boolean; readonly modification?: "ConsoleProtection" | "NonProtection" },
): Promise<void> {
    const { deletion: DeletionProtectionEnabled, modification: ModificationProtectionStatus } = protection;
    const protections = defined({ DeletionProtectionEnabled, ModificationProtectionStatus });
    await change(cloud, "UpdateLoadBalancerProtection", { LoadBalancerId: id, ...protections });
}

/** Source: NLB API, TagResources, Tag. */
const TAGS_PER_CALL = 20;

/** Sets tags of an instance, and leaves other tags (TagResources, 20 a call). */
export async function setNlbTags(cloud: Cloud, id: string, tags: api.Tags): Promise<void> {
    for (const Tag of batches(tagsOf(tags), TAGS_PER_CALL))
        await cloud.call("nlb", "TagResources", { ResourceType: "loadbalancer", ResourceId: [id], Tag });
}

/** Removes tags, if they exist (UntagResources). */
export async function removeNlbTags(
    cloud: Cloud,
    type: "loadbalancer" | "servergroup",
    ids: readonly string[],
    keys: readonly string[],
): Promise<void> {
    if (ids.length > 0 && keys.length > 0)
        await cloud.call("nlb", "UntagResources", { ResourceType: type, ResourceId: ids, TagKey: keys });
}
