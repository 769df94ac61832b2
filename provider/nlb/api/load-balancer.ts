/** NLB instances, with one function for each call that changes one. */
import { CLUSTER_TAG } from "../../schema/names";
import { defined } from "../../schema/defined";
import {
    converted,
    defaulted,
    fields,
    list,
    number,
    object,
    optional,
    type Read,
    readAnswer,
    requiredText,
    tagList,
    type Tags,
    text,
    textList,
    truth,
} from "../../cloud/http/answer";
import type { Cloud } from "../../cloud/http/client";
import { ignoreNotFound } from "../../cloud/http/error";
import { batches, tokenItems } from "../../cloud/http/page";
import { change, dryRun, type DryRunAnswer } from "./jobs";

/** One zone of an NLB with its addresses. */
export interface NlbZone {
    readonly zoneId: string;
    readonly vswitchId: string;
    readonly privateIpv4?: string;
    readonly allocationId?: string;
}

const ZONE = converted(
    fields({
        zoneId: ["ZoneId", requiredText],
        vswitchId: ["VSwitchId", requiredText],
        addresses: [
            "LoadBalancerAddresses",
            list(fields({ privateIpv4: ["PrivateIPv4Address", text], allocationId: ["AllocationId", text] })),
        ],
    }),
    ({ addresses = [], ...zone }): NlbZone => ({ ...zone, ...addresses[0] }),
);

const LOAD_BALANCER = fields({
    id: ["LoadBalancerId", requiredText],
    name: ["LoadBalancerName", defaulted(text, "")],
    /** `Provisioning`, `Active`, `Configuring`, … */
    status: ["LoadBalancerStatus", text],
    /** `Normal`, or `Abnormal` while a bill is unpaid. */
    businessStatus: ["LoadBalancerBusinessStatus", text],
    dnsName: ["DNSName", text],
    /** `Internet` or `Intranet`. */
    addressType: ["AddressType", text],
    /** `ipv4` or `DualStack`. */
    addressIpVersion: ["AddressIpVersion", text],
    /** `Internet` or `Intranet`; absent without IPv6 addresses. */
    ipv6AddressType: ["Ipv6AddressType", text],
    vpcId: ["VpcId", text],
    resourceGroupId: ["ResourceGroupId", text],
    /** Absent if it is in no package. */
    bandwidthPackageId: ["BandwidthPackageId", text],
    crossZone: ["CrossZoneEnabled", converted(truth, (enabled) => enabled !== false)],
    securityGroupIds: ["SecurityGroupIds", converted(optional(textList), (ids = []) => ids.toSorted())],
    deleteProtection: [
        "DeletionProtectionConfig",
        converted(optional(object({ Enabled: truth })), (config) => config?.Enabled === true),
    ],
    modification: [
        "ModificationProtectionConfig",
        defaulted(optional(fields({ status: ["Status", text], reason: ["Reason", text] })), {}),
    ],
    /** Most new connections per second; absent if not limited. */
    cps: ["Cps", converted(number, (cps) => (cps === 0 ? undefined : cps))],
    zones: ["ZoneMappings", defaulted<readonly NlbZone[]>(list(ZONE), [])],
    tags: ["Tags", tagList()],
});

const INSTANCE = converted(LOAD_BALANCER, ({ modification: { status, reason }, ...instance }) => ({
    ...instance,
    modificationProtection: status === "ConsoleProtection",
    ...defined({ modificationProtectionReason: reason }),
}));

/** NLB instance as observed. */
export type NlbInstance = Read<typeof INSTANCE>;

const INSTANCES = object({ LoadBalancers: list(INSTANCE), TotalCount: number });

/** Returns the instance with this id; undefined if there is none (GetLoadBalancerAttribute). */
export async function getNlbLoadBalancer(cloud: Cloud, id: string): Promise<NlbInstance | undefined> {
    const action = "GetLoadBalancerAttribute";
    const answer = await ignoreNotFound("loadBalancer", cloud.call("nlb", action, { LoadBalancerId: id }));
    return answer && readAnswer(action, INSTANCE, answer);
}

/** Returns the instances of this name; names are not unique (ListLoadBalancers, every page). */
export function findNlbLoadBalancers(cloud: Cloud, name: string): Promise<NlbInstance[]> {
    return listNlbLoadBalancers(cloud, { LoadBalancerNames: [name] });
}

/** Returns the instances with this tag (ListLoadBalancers, every page). */
export function findNlbLoadBalancersByTag(cloud: Cloud, key: string, value: string): Promise<NlbInstance[]> {
    return listNlbLoadBalancers(cloud, { Tag: [{ Key: key, Value: value }] });
}

function listNlbLoadBalancers(cloud: Cloud, filter: Readonly<Record<string, unknown>>): Promise<NlbInstance[]> {
    const action = "ListLoadBalancers";
    return tokenItems(
        action,
        (NextToken) => cloud.call("nlb", action, { ...filter, MaxResults: 100, NextToken }),
        (page) => readAnswer(action, INSTANCES, page).LoadBalancers ?? [],
    );
}

/**
 * Counts the instances of the region (ListLoadBalancers); undefined if the answer has no count.
 *
 * @param clusterId counts only the instances that were made for Services of this cluster
 */
export async function countNlbLoadBalancers(
    cloud: Cloud,
    clusterId: string | undefined,
    signal: AbortSignal,
): Promise<number | undefined> {
    const action = "ListLoadBalancers";
    const tag = clusterId === undefined ? {} : { "Tag.1.Key": CLUSTER_TAG, "Tag.1.Value": clusterId };
    const answer = await cloud.call("nlb", action, { MaxResults: 1, ...tag }, { signal });
    return readAnswer(action, INSTANCES, answer).TotalCount;
}

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
    readonly zones: readonly NlbZone[];
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

/** Asks if the cloud would change the zones of an instance to these (UpdateLoadBalancerZones with DryRun). */
export function wouldUpdateZones(cloud: Cloud, id: string, zones: readonly NlbZone[]): Promise<DryRunAnswer> {
    return dryRun(cloud, "UpdateLoadBalancerZones", { LoadBalancerId: id, ZoneMappings: zones.map(zoneMapping) });
}

/** Completes a zone that keeps its vSwitch with its observed addresses: the cloud may replace omitted addresses. */
export function keepAddresses(desired: NlbZone, zones: readonly NlbZone[]): NlbZone {
    const actual = zones.find(({ zoneId, vswitchId }) => zoneId === desired.zoneId && vswitchId === desired.vswitchId);
    return { ...actual, ...desired };
}

/** Changes the zones of an instance to these (UpdateLoadBalancerZones). */
export async function updateZones(cloud: Cloud, id: string, zones: readonly NlbZone[]): Promise<void> {
    await change(cloud, "UpdateLoadBalancerZones", { LoadBalancerId: id, ZoneMappings: zones.map(zoneMapping) });
}

const zoneMapping = ({ zoneId, vswitchId, privateIpv4, allocationId }: NlbZone): Readonly<Record<string, string>> =>
    defined({
        ZoneId: zoneId,
        VSwitchId: vswitchId,
        PrivateIPv4Address: privateIpv4,
        AllocationId: allocationId,
    });

/** Makes an instance public or internal (UpdateLoadBalancerAddressTypeConfig). Its addresses change. */
export async function setAddressType(cloud: Cloud, id: string, addressType: "Internet" | "Intranet"): Promise<void> {
    await change(cloud, "UpdateLoadBalancerAddressTypeConfig", { LoadBalancerId: id, AddressType: addressType });
}

/**
 * Opens or closes the IPv6 addresses to the Internet (EnableLoadBalancerIpv6Internet,
 * DisableLoadBalancerIpv6Internet).
 */
export async function setIpv6AddressType(
    cloud: Cloud,
    id: string,
    addressType: "Internet" | "Intranet",
): Promise<void> {
    const verb = addressType === "Internet" ? "Enable" : "Disable";
    await change(cloud, `${verb}LoadBalancerIpv6Internet`, { LoadBalancerId: id });
}

/** Sets name and traffic across zones; undefined fields stay (UpdateLoadBalancerAttribute). */
export async function updateNlbLoadBalancer(
    cloud: Cloud,
    id: string,
    { name, crossZone }: { readonly name?: string; readonly crossZone?: boolean },
): Promise<void> {
    await change(cloud, "UpdateLoadBalancerAttribute", {
        LoadBalancerId: id,
        ...defined({ LoadBalancerName: name, CrossZoneEnabled: crossZone }),
    });
}

/**
 * Joins and leaves security groups (LoadBalancerJoinSecurityGroup, LoadBalancerLeaveSecurityGroup).
 *
 * Joins first: an instance without a group accepts every client.
 */
export async function changeSecurityGroups(
    cloud: Cloud,
    id: string,
    before: readonly string[],
    after: readonly string[],
): Promise<void> {
    const joined = after.filter((group) => !before.includes(group));
    const left = before.filter((group) => !after.includes(group));
    if (joined.length > 0)
        await change(cloud, "LoadBalancerJoinSecurityGroup", { LoadBalancerId: id, SecurityGroupIds: joined });
    if (left.length > 0)
        await change(cloud, "LoadBalancerLeaveSecurityGroup", { LoadBalancerId: id, SecurityGroupIds: left });
}

/**
 * Moves an instance from one Internet Shared Bandwidth package to another
 * (DetachCommonBandwidthPackageFromLoadBalancer, AttachCommonBandwidthPackageToLoadBalancer).
 */
export async function changeBandwidthPackage(
    cloud: Cloud,
    id: string,
    before: string | undefined,
    after: string,
): Promise<void> {
    if (before === after) return;
    const params = (packageId: string) => ({ LoadBalancerId: id, BandwidthPackageId: packageId });
    if (before !== undefined) await change(cloud, "DetachCommonBandwidthPackageFromLoadBalancer", params(before));
    await change(cloud, "AttachCommonBandwidthPackageToLoadBalancer", params(after));
}

/** Switches protections; undefined ones stay (UpdateLoadBalancerProtection). */
export async function setProtection(
    cloud: Cloud,
    id: string,
    protection: { readonly deletion?: boolean; readonly modification?: "ConsoleProtection" | "NonProtection" },
): Promise<void> {
    const { deletion, modification } = protection;
    await change(cloud, "UpdateLoadBalancerProtection", {
        LoadBalancerId: id,
        ...defined({ DeletionProtectionEnabled: deletion, ModificationProtectionStatus: modification }),
    });
}

/** Source: NLB API, TagResources, Tag. */
const TAGS_PER_CALL = 20;

/** Sets tags of an instance; other tags stay (TagResources, 20 a call). */
export async function setNlbTags(cloud: Cloud, id: string, tags: Tags): Promise<void> {
    for (const batch of batches(Object.entries(tags), TAGS_PER_CALL)) {
        const Tag = batch.map(([Key, Value]) => ({ Key, Value }));
        await cloud.call("nlb", "TagResources", { ResourceType: "loadbalancer", ResourceId: [id], Tag });
    }
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
