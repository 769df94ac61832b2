import { clbProtocol, type ClbProtocol } from "../../schema/protocols";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { list, number, requireText, text, type Json } from "../http/json";
import { numberedPages } from "../http/page";
import { readTags, type Tags } from "./tags";

/** A listener as the load balancer lists it. */
export interface ListenerKey {
    readonly protocol: ClbProtocol;
    readonly port: number;
}

/** A CLB instance as the cloud has it. Fields that the answer leaves out are absent; a list answer has fewer than the answer for one. */
export interface LoadBalancer {
    readonly id: string;
    readonly name?: string;
    /** `active`, `inactive` or `locked`. */
    readonly status?: string;
    readonly address?: string;
    readonly addressType?: string;
    readonly addressIpVersion?: string;
    readonly vpcId?: string;
    readonly vswitchId?: string;
    /** `PayBySpec` or `PayByCLCU`. */
    readonly instanceChargeType?: string;
    readonly spec?: string;
    /** `paybytraffic` or `paybybandwidth`. */
    readonly internetChargeType?: string;
    /** Mbit/s. */
    readonly bandwidth?: number;
    readonly payType?: string;
    readonly masterZoneId?: string;
    readonly slaveZoneId?: string;
    readonly resourceGroupId?: string;
    readonly deleteProtection?: "on" | "off";
    readonly modificationProtectionStatus?: string;
    readonly modificationProtectionReason?: string;
    /** Only in the answer for one. */
    readonly listeners?: readonly ListenerKey[];
    /** Only in list answers; use {@link readTags} of the tags API otherwise. */
    readonly tags?: Tags;
}

/** The load balancer with this id, or undefined if there is none (DescribeLoadBalancerAttribute). */
export async function describeLoadBalancer(cloud: Cloud, id: string): Promise<LoadBalancer | undefined> {
    try {
        return fromJson(await cloud.call("slb", "DescribeLoadBalancerAttribute", { LoadBalancerId: id }));
    } catch (error) {
        if (isNotFound(error, "loadBalancer")) return undefined;
        throw error;
    }
}

/** All load balancers of the region that carry all these tags (DescribeLoadBalancers, every page). */
export function findLoadBalancersByTag(cloud: Cloud, tags: Tags): Promise<LoadBalancer[]> {
    const wanted = Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));
    if (wanted.length === 0) throw new Error("findLoadBalancersByTag: at least one tag is needed");
    return find(cloud, { Tags: JSON.stringify(wanted) });
}

/** All load balancers of the region with exactly this name; names are not unique (DescribeLoadBalancers, every page). */
export async function findLoadBalancersByName(cloud: Cloud, name: string): Promise<LoadBalancer[]> {
    const found = await find(cloud, { LoadBalancerName: name });
    return found.filter((loadBalancer) => loadBalancer.name === name);
}

/** Deletes a load balancer with its listeners and groups; one that is gone already is fine (DeleteLoadBalancer). Fails while it is protected against deletion. */
export async function deleteLoadBalancer(cloud: Cloud, id: string): Promise<void> {
    try {
        await cloud.call("slb", "DeleteLoadBalancer", { LoadBalancerId: id });
    } catch (error) {
        if (!isNotFound(error, "loadBalancer")) throw error;
    }
}

const PAGE_SIZE = 100;

async function find(cloud: Cloud, filter: Readonly<Record<string, unknown>>): Promise<LoadBalancer[]> {
    const items = (page: Json): Json[] => list(page, "LoadBalancers", "LoadBalancer");
    const pages = await numberedPages(
        (PageNumber) => cloud.call("slb", "DescribeLoadBalancers", { ...filter, PageNumber, PageSize: PAGE_SIZE }),
        (page) => items(page).length,
    );
    return pages.flatMap(items).map(fromJson);
}

function fromJson(json: Json): LoadBalancer {
    // In list answers InternetChargeType is a number of an older API, and the word stands in the alias.
    const internetChargeType = text(json, "InternetChargeTypeAlias") ?? text(json, "InternetChargeType");
    const protection = text(json, "DeleteProtection");
    const ports = list(json, "ListenerPortsAndProtocol", "ListenerPortAndProtocol");
    const tags = list(json, "Tags", "Tag");
    return withoutAbsent({
        id: requireText(json, "LoadBalancerId", "DescribeLoadBalancers"),
        name: text(json, "LoadBalancerName"),
        status: text(json, "LoadBalancerStatus"),
        address: text(json, "Address"),
        addressType: text(json, "AddressType"),
        addressIpVersion: text(json, "AddressIPVersion"),
        vpcId: text(json, "VpcId"),
        vswitchId: text(json, "VSwitchId"),
        instanceChargeType: text(json, "InstanceChargeType"),
        spec: text(json, "LoadBalancerSpec"),
        internetChargeType,
        bandwidth: number(json, "Bandwidth"),
        payType: text(json, "PayType"),
        masterZoneId: text(json, "MasterZoneId"),
        slaveZoneId: text(json, "SlaveZoneId"),
        resourceGroupId: text(json, "ResourceGroupId"),
        deleteProtection: protection === "on" || protection === "off" ? protection : undefined,
        modificationProtectionStatus: text(json, "ModificationProtectionStatus"),
        modificationProtectionReason: text(json, "ModificationProtectionReason"),
        listeners:
            json["ListenerPortsAndProtocol"] === undefined
                ? undefined
                : ports.map((item) => ({
                      protocol: clbProtocol(requireText(item, "ListenerProtocol", "DescribeLoadBalancerAttribute")),
                      port: number(item, "ListenerPort") ?? 0,
                  })),
        tags: json["Tags"] === undefined ? undefined : readTags(tags),
    });
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves out what is undefined, so that "absent" looks the same whether the answer or this reader left it out. */
function withoutAbsent<T extends object>(object: T): Present<T> {
    return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Present<T>;
}
