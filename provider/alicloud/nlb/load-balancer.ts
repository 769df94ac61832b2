import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { list, requireText, text, type Json } from "../http/json";
import { tokenPages } from "../http/page";
import type { Tags } from "../slb/tags";
import { dryRun, type DryRunAnswer } from "./dry-run";
import { change } from "./jobs";
import { readNlbTags } from "./tags";

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
    readonly zones: readonly NlbZone[];
    readonly tags: Tags;
}

/** The instance with this id, or undefined if there is none (GetLoadBalancerAttribute). */
export async function getNlbLoadBalancer(cloud: Cloud, id: string): Promise<NlbLoadBalancer | undefined> {
    const action = "GetLoadBalancerAttribute";
    try {
        return readInstance(await cloud.call("nlb", action, { LoadBalancerId: id }), action);
    } catch (error) {
        if (isNotFound(error, "loadBalancer")) return undefined;
        throw error;
    }
}

/** All instances of this name; names are not unique (ListLoadBalancers, every page). */
export async function findNlbLoadBalancers(cloud: Cloud, name: string): Promise<NlbLoadBalancer[]> {
    const action = "ListLoadBalancers";
    const pages = await tokenPages(action, (NextToken) =>
        cloud.call("nlb", action, { LoadBalancerNames: [name], MaxResults: 100, NextToken }),
    );
    return pages.flatMap((page) => list(page, "LoadBalancers")).map((item) => readInstance(item, action));
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
export function keepAddresses(wanted: NlbZone, zones: readonly NlbZone[]): NlbZone {
    const actual = zones.find(({ zoneId, vswitchId }) => zoneId === wanted.zoneId && vswitchId === wanted.vswitchId);
    return { ...actual, ...wanted };
}

/** Makes these the zones of an instance; others are given up (UpdateLoadBalancerZones). */
export async function updateZones(cloud: Cloud, id: string, zones: readonly NlbZone[]): Promise<void> {
    await change(cloud, "UpdateLoadBalancerZones", {
        LoadBalancerId: id,
        ZoneMappings: zones.map(zoneMapping),
    });
}

/** Texts of an answer that may be left out, or empty, by the names that they have here. */
const OPTIONAL = {
    status: "LoadBalancerStatus",
    businessStatus: "LoadBalancerBusinessStatus",
    dnsName: "DNSName",
    addressType: "AddressType",
    addressIpVersion: "AddressIpVersion",
    ipv6AddressType: "Ipv6AddressType",
    vpcId: "VpcId",
    resourceGroupId: "ResourceGroupId",
    bandwidthPackageId: "BandwidthPackageId",
} as const satisfies Partial<Record<keyof NlbLoadBalancer, string>>;

function zoneMapping({ zoneId, vswitchId, privateIpv4, allocationId }: NlbZone): Json {
    return {
        ZoneId: zoneId,
        VSwitchId: vswitchId,
        ...(privateIpv4 === undefined ? {} : { PrivateIPv4Address: privateIpv4 }),
        ...(allocationId === undefined ? {} : { AllocationId: allocationId }),
    };
}

function readInstance(item: Json, action: string): NlbLoadBalancer {
    const texts = Object.entries(OPTIONAL).flatMap(([name, key]) => {
        const value = text(item, key);
        return value === undefined || value === "" ? [] : [[name, value]];
    });
    const groups = item["SecurityGroupIds"];
    return {
        id: requireText(item, "LoadBalancerId", action),
        name: text(item, "LoadBalancerName") ?? "",
        ...(Object.fromEntries(texts) as Partial<Record<keyof typeof OPTIONAL, string>>),
        crossZone: item["CrossZoneEnabled"] !== false,
        securityGroupIds: Array.isArray(groups) ? groups.map(String).sort() : [],
        deleteProtection: part(item, "DeletionProtectionConfig")["Enabled"] === true,
        modificationProtection: part(item, "ModificationProtectionConfig")["Status"] === "ConsoleProtection",
        zones: list(item, "ZoneMappings").map((zone) => readZone(zone, action)),
        tags: readNlbTags(item),
    };
}

function readZone(zone: Json, action: string): NlbZone {
    const [address = {}] = list(zone, "LoadBalancerAddresses");
    const privateIpv4 = text(address, "PrivateIPv4Address");
    const allocationId = text(address, "AllocationId");
    return {
        zoneId: requireText(zone, "ZoneId", action),
        vswitchId: requireText(zone, "VSwitchId", action),
        ...(privateIpv4 === undefined ? {} : { privateIpv4 }),
        ...(allocationId === undefined ? {} : { allocationId }),
    };
}

function part(item: Json, key: string): Json {
    const value = item[key];
    return typeof value === "object" && value !== null ? (value as Json) : {};
}
