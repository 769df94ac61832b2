import { list, number, object, optional, readAnswer, requiredText, text, textList, truth } from "../http/answer";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { tokenPages } from "../http/page";
import type { Tags } from "../slb/tags";
import { dryRun, type DryRunAnswer } from "./dry-run";
import { change } from "./jobs";
import { NLB_TAGS, readNlbTags } from "./tags";
import { defined } from "../../schema/defined";

/** One zone of an NLB with its addresses. */
export interface NlbZone {
    readonly zoneId: string;
    readonly vswitchId: string;
    readonly privateIpv4?: string;
    readonly allocationId?: string;
}

/** An NLB instance. */
export interface NlbLoadBalancer {
    readonly id: string;
    readonly name: string;
    /** `Provisioning`, `Active`, `Configuring`, … */
    readonly status?: string;
    /** `Normal`, or `Abnormal` while a bill is unpaid. */
    readonly businessStatus?: string;
    readonly dnsName?: string;
    /** `Internet` or `Intranet`. */
    readonly addressType?: string;
    /** `ipv4` or `DualStack`. */
    readonly addressIpVersion?: string;
    /** `Internet` or `Intranet`; absent without IPv6 addresses. */
    readonly ipv6AddressType?: string;
    readonly vpcId?: string;
    readonly resourceGroupId?: string;
    /** Absent = in no package. */
    readonly bandwidthPackageId?: string;
    readonly crossZone: boolean;
    readonly securityGroupIds: readonly string[];
    readonly deleteProtection: boolean;
    readonly modificationProtection: boolean;
    /** Absent = none is given. */
    readonly modificationProtectionReason?: string;
    /** New connections a second that the instance takes; absent = not limited. */
    readonly cps?: number;
    readonly zones: readonly NlbZone[];
    readonly tags: Tags;
}

const ZONE_MAPPING = object({
    ZoneId: requiredText,
    VSwitchId: requiredText,
    LoadBalancerAddresses: list(object({ PrivateIPv4Address: text, AllocationId: text })),
});

const LOAD_BALANCER = object({
    LoadBalancerId: requiredText,
    LoadBalancerName: text,
    LoadBalancerStatus: text,
    LoadBalancerBusinessStatus: text,
    DNSName: text,
    AddressType: text,
    AddressIpVersion: text,
    Ipv6AddressType: text,
    VpcId: text,
    ResourceGroupId: text,
    BandwidthPackageId: text,
    CrossZoneEnabled: truth,
    SecurityGroupIds: optional(textList),
    DeletionProtectionConfig: optional(object({ Enabled: truth })),
    ModificationProtectionConfig: optional(object({ Status: text, Reason: text })),
    Cps: number,
    ZoneMappings: list(ZONE_MAPPING),
    Tags: NLB_TAGS,
});

const LOAD_BALANCERS = object({ LoadBalancers: list(LOAD_BALANCER) });

/** The instance with this id, or undefined if there is none (GetLoadBalancerAttribute). */
export async function getNlbLoadBalancer(cloud: Cloud, id: string): Promise<NlbLoadBalancer | undefined> {
    const action = "GetLoadBalancerAttribute";
    try {
        const answer = await cloud.call("nlb", action, { LoadBalancerId: id });
        return readInstance(readAnswer(action, LOAD_BALANCER, answer));
    } catch (error) {
        if (isNotFound(error, "loadBalancer")) return undefined;
        throw error;
    }
}

/** All instances of this name; names are not unique (ListLoadBalancers, every page). */
export function findNlbLoadBalancers(cloud: Cloud, name: string): Promise<NlbLoadBalancer[]> {
    return listNlbLoadBalancers(cloud, { LoadBalancerNames: [name] });
}

/** All instances with this tag (ListLoadBalancers, every page). */
export function findNlbLoadBalancersByTag(cloud: Cloud, key: string, value: string): Promise<NlbLoadBalancer[]> {
    return listNlbLoadBalancers(cloud, { Tag: [{ Key: key, Value: value }] });
}

async function listNlbLoadBalancers(
    cloud: Cloud,
    filter: Readonly<Record<string, unknown>>,
): Promise<NlbLoadBalancer[]> {
    const action = "ListLoadBalancers";
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("nlb", action, { ...filter, MaxResults: 100, NextToken }),
    );
    return pages.flatMap((page) => readAnswer(action, LOAD_BALANCERS, page).LoadBalancers ?? []).map(readInstance);
}

/** Deletes an instance with its listeners; one that is gone already is fine (DeleteLoadBalancer). Fails while it is protected against deletion. */
export async function deleteNlbLoadBalancer(cloud: Cloud, id: string): Promise<void> {
    try {
        await change(cloud, "DeleteLoadBalancer", { LoadBalancerId: id });
    } catch (error) {
        if (!isNotFound(error, "loadBalancer")) throw error;
    }
}

/** An instance that is to be made, as far as that decides whether the cloud makes it. */
export interface NlbCreateSpec {
    readonly name?: string;
    readonly addressType: string;
    readonly addressIpVersion: string;
    readonly resourceGroupId?: string;
    readonly zones: readonly NlbZone[];
}

/** Asks whether the cloud would make an instance (CreateLoadBalancer with DryRun). */
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

/** Asks whether the cloud would make these the zones of an instance (UpdateLoadBalancerZones with DryRun). */
export function wouldUpdateZones(cloud: Cloud, id: string, zones: readonly NlbZone[]): Promise<DryRunAnswer> {
    return dryRun(cloud, "UpdateLoadBalancerZones", { LoadBalancerId: id, ZoneMappings: zones.map(zoneMapping) });
}

/** A zone with the addresses that are not asked for as they are, while it keeps its vSwitch: what a call does not repeat, the cloud may give anew. */
export function keepAddresses(desired: NlbZone, zones: readonly NlbZone[]): NlbZone {
    const actual = zones.find(({ zoneId, vswitchId }) => zoneId === desired.zoneId && vswitchId === desired.vswitchId);
    return { ...actual, ...desired };
}

/** Makes these the zones of an instance; others are given up (UpdateLoadBalancerZones). */
export async function updateZones(cloud: Cloud, id: string, zones: readonly NlbZone[]): Promise<void> {
    await change(cloud, "UpdateLoadBalancerZones", {
        LoadBalancerId: id,
        ZoneMappings: zones.map(zoneMapping),
    });
}

function zoneMapping({ zoneId, vswitchId, privateIpv4, allocationId }: NlbZone): Readonly<Record<string, string>> {
    return {
        ZoneId: zoneId,
        VSwitchId: vswitchId,
        ...defined({ PrivateIPv4Address: privateIpv4, AllocationId: allocationId }),
    };
}

function readInstance(item: ReturnType<typeof LOAD_BALANCER.parse>): NlbLoadBalancer {
    const facts = {
        status: item.LoadBalancerStatus,
        businessStatus: item.LoadBalancerBusinessStatus,
        dnsName: item.DNSName,
        addressType: item.AddressType,
        addressIpVersion: item.AddressIpVersion,
        ipv6AddressType: item.Ipv6AddressType,
        vpcId: item.VpcId,
        resourceGroupId: item.ResourceGroupId,
        bandwidthPackageId: item.BandwidthPackageId,
        modificationProtectionReason: item.ModificationProtectionConfig?.Reason,
        cps: item.Cps === 0 ? undefined : item.Cps,
    };
    return {
        id: item.LoadBalancerId,
        name: item.LoadBalancerName ?? "",
        ...defined(facts),
        crossZone: item.CrossZoneEnabled !== false,
        securityGroupIds: [...(item.SecurityGroupIds ?? [])].sort(),
        deleteProtection: item.DeletionProtectionConfig?.Enabled === true,
        modificationProtection: item.ModificationProtectionConfig?.Status === "ConsoleProtection",
        zones: (item.ZoneMappings ?? []).map(readZone),
        tags: readNlbTags(item.Tags),
    };
}

function readZone({ ZoneId, VSwitchId, LoadBalancerAddresses }: ReturnType<typeof ZONE_MAPPING.parse>): NlbZone {
    const { PrivateIPv4Address, AllocationId } = LoadBalancerAddresses?.[0] ?? {};
    return {
        zoneId: ZoneId,
        vswitchId: VSwitchId,
        ...defined({ privateIpv4: PrivateIPv4Address, allocationId: AllocationId }),
    };
}
