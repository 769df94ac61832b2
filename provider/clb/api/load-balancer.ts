import { clbProtocol, type ClbProtocol } from "../../schema/protocols";
import { CLUSTER_TAG } from "../../schema/names";
import {
    converted,
    fields,
    list,
    number,
    object,
    optional,
    type Read,
    readAnswer,
    requiredNumber,
    requiredText,
    tagList,
    type Tags,
    text,
} from "../../cloud/http/answer";
import type { Cloud } from "../../cloud/http/client";
import { ignoreNotFound } from "../../cloud/http/error";
import { numberedItems } from "../../cloud/http/page";

/** Key of a listener on its load balancer. */
export interface ListenerKey {
    readonly protocol: ClbProtocol;
    readonly port: number;
}

const LISTENER_KEY = converted(
    object({ ListenerProtocol: requiredText, ListenerPort: requiredNumber }),
    ({ ListenerProtocol, ListenerPort }): ListenerKey => ({
        protocol: clbProtocol(ListenerProtocol),
        port: ListenerPort,
    }),
);

const INSTANCE = fields({
    id: ["LoadBalancerId", requiredText],
    name: ["LoadBalancerName", text],
    /** `active`, `inactive` or `locked`. */
    status: ["LoadBalancerStatus", text],
    address: ["Address", text],
    addressType: ["AddressType", text],
    addressIpVersion: ["AddressIPVersion", text],
    vpcId: ["VpcId", text],
    vswitchId: ["VSwitchId", text],
    /** `PayBySpec` or `PayByCLCU`. */
    instanceChargeType: ["InstanceChargeType", text],
    spec: ["LoadBalancerSpec", text],
    /** `paybytraffic` or `paybybandwidth`; in list answers a number of an older API. */
    internetChargeType: ["InternetChargeType", text],
    /** The word for that number. */
    internetChargeTypeAlias: ["InternetChargeTypeAlias", text],
    /** Mbit/s. */
    bandwidth: ["Bandwidth", number],
    payType: ["PayType", text],
    masterZoneId: ["MasterZoneId", text],
    slaveZoneId: ["SlaveZoneId", text],
    resourceGroupId: ["ResourceGroupId", text],
    deleteProtection: [
        "DeleteProtection",
        converted(text, (protection) => (protection === "on" || protection === "off" ? protection : undefined)),
    ],
    modificationProtectionStatus: ["ModificationProtectionStatus", text],
    modificationProtectionReason: ["ModificationProtectionReason", text],
    /** Only in the answer for one instance. */
    listeners: ["ListenerPortsAndProtocol", list(LISTENER_KEY, "ListenerPortAndProtocol")],
    /** Only in list answers. */
    tags: ["Tags", optional(tagList("Tag"))],
});

const LOAD_BALANCER = converted(INSTANCE, ({ internetChargeTypeAlias: alias, ...instance }) =>
    alias === undefined ? instance : { ...instance, internetChargeType: alias },
);

/** CLB instance as observed. Fields that the answer omits are absent. */
export type LoadBalancer = Read<typeof LOAD_BALANCER>;

const LOAD_BALANCERS = object({ LoadBalancers: list(LOAD_BALANCER, "LoadBalancer"), TotalCount: number });

const PAGE_SIZE = 100;

/** Returns the load balancer with this id; undefined if there is none (DescribeLoadBalancerAttribute). */
export async function describeLoadBalancer(cloud: Cloud, id: string): Promise<LoadBalancer | undefined> {
    const action = "DescribeLoadBalancerAttribute";
    const answer = await ignoreNotFound("loadBalancer", cloud.call("slb", action, { LoadBalancerId: id }));
    return answer && readAnswer(action, LOAD_BALANCER, answer);
}

/** Returns the load balancers of the region that have all these tags (DescribeLoadBalancers, every page). */
export function findLoadBalancersByTag(cloud: Cloud, tags: Tags): Promise<LoadBalancer[]> {
    if (Object.keys(tags).length === 0) throw new Error("findLoadBalancersByTag: at least one tag is needed");
    return find(cloud, { Tags: tagFilter(tags) });
}

/** Returns the load balancers of the region with exactly this name (DescribeLoadBalancers, every page). */
export async function findLoadBalancersByName(cloud: Cloud, name: string): Promise<LoadBalancer[]> {
    const found = await find(cloud, { LoadBalancerName: name });
    return found.filter((loadBalancer) => loadBalancer.name === name);
}

function find(cloud: Cloud, filter: Readonly<Record<string, unknown>>): Promise<LoadBalancer[]> {
    const action = "DescribeLoadBalancers";
    return numberedItems(
        action,
        (PageNumber) => cloud.call("slb", action, { ...filter, PageNumber, PageSize: PAGE_SIZE }),
        (page) => readAnswer(action, LOAD_BALANCERS, page).LoadBalancers ?? [],
    );
}

const tagFilter = (tags: Tags): string =>
    JSON.stringify(Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue })));

/**
 * Counts the instances of the region (DescribeLoadBalancers); undefined if the answer has no count.
 *
 * @param clusterId counts only the instances that were made for Services of this cluster
 */
export async function countLoadBalancers(
    cloud: Cloud,
    clusterId: string | undefined,
    signal: AbortSignal,
): Promise<number | undefined> {
    const action = "DescribeLoadBalancers";
    const filter = clusterId === undefined ? {} : { Tags: tagFilter({ [CLUSTER_TAG]: clusterId }) };
    const answer = await cloud.call("slb", action, { PageNumber: 1, PageSize: 1, ...filter }, { signal });
    return readAnswer(action, LOAD_BALANCERS, answer).TotalCount;
}

/**
 * Deletes a load balancer with its listeners and groups, if it exists (DeleteLoadBalancer). Fails if it is protected.
 */
export async function deleteLoadBalancer(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("loadBalancer", cloud.call("slb", "DeleteLoadBalancer", { LoadBalancerId: id }));
}

/** Switches the protection against deletion (SetLoadBalancerDeleteProtection). */
export async function setDeleteProtection(cloud: Cloud, id: string, protection: "on" | "off"): Promise<void> {
    await cloud.call("slb", "SetLoadBalancerDeleteProtection", { LoadBalancerId: id, DeleteProtection: protection });
}

/**
 * Switches the protection against changes in the console, with a reason if on
 * (SetLoadBalancerModificationProtection).
 */
export async function setModificationProtection(
    cloud: Cloud,
    id: string,
    status: "ConsoleProtection" | "NonProtection",
    reason?: string,
): Promise<void> {
    await cloud.call("slb", "SetLoadBalancerModificationProtection", {
        LoadBalancerId: id,
        ModificationProtectionStatus: status,
        ModificationProtectionReason: status === "ConsoleProtection" ? reason : undefined,
    });
}

/** Activates an instance that was switched off (SetLoadBalancerStatus). */
export async function activateLoadBalancer(cloud: Cloud, id: string): Promise<void> {
    await cloud.call("slb", "SetLoadBalancerStatus", { LoadBalancerId: id, LoadBalancerStatus: "active" });
}

/** Renames a load balancer (SetLoadBalancerName). */
export async function setLoadBalancerName(cloud: Cloud, id: string, name: string): Promise<void> {
    await cloud.call("slb", "SetLoadBalancerName", { LoadBalancerId: id, LoadBalancerName: name });
}

/** Changes the specification of a `PayBySpec` instance (ModifyLoadBalancerInstanceSpec). */
export async function setSpec(cloud: Cloud, id: string, spec: string): Promise<void> {
    await cloud.call("slb", "ModifyLoadBalancerInstanceSpec", { LoadBalancerId: id, LoadBalancerSpec: spec });
}

/** Changes the billing of an instance (ModifyLoadBalancerInstanceChargeType). `spec` is for `PayBySpec` only. */
export async function setInstanceChargeType(
    cloud: Cloud,
    id: string,
    chargeType: "PayBySpec" | "PayByCLCU",
    spec?: string,
): Promise<void> {
    await cloud.call("slb", "ModifyLoadBalancerInstanceChargeType", {
        LoadBalancerId: id,
        InstanceChargeType: chargeType,
        LoadBalancerSpec: spec,
    });
}

/** Changes billing and bandwidth, in Mbit/s, of a public instance (ModifyLoadBalancerInternetSpec). */
export async function setInternetCharge(
    cloud: Cloud,
    id: string,
    chargeType: string | undefined,
    bandwidth: number | undefined,
): Promise<void> {
    await cloud.call("slb", "ModifyLoadBalancerInternetSpec", {
        LoadBalancerId: id,
        InternetChargeType: chargeType?.toLowerCase(),
        Bandwidth: bandwidth,
    });
}
