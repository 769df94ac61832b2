import { clbProtocol, type ClbProtocol } from "../../schema/protocols";
import { list, number, object, readAnswer, requiredNumber, requiredText, text } from "../http/answer";
import type { Cloud } from "../http/client";
import { isNotFound } from "../http/error";
import { numberedItems } from "../http/page";
import { readTags, TAG, type Tags } from "./tags";
import { defined } from "../../schema/defined";

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
        const action = "DescribeLoadBalancerAttribute";
        const answer = await cloud.call("slb", action, { LoadBalancerId: id });
        return toLoadBalancer(readAnswer(action, LOAD_BALANCER, answer));
    } catch (error) {
        if (isNotFound(error, "loadBalancer")) return undefined;
        throw error;
    }
}

/** All load balancers of the region that carry all these tags (DescribeLoadBalancers, every page). */
export function findLoadBalancersByTag(cloud: Cloud, tags: Tags): Promise<LoadBalancer[]> {
    const filter = Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));
    if (filter.length === 0) throw new Error("findLoadBalancersByTag: at least one tag is needed");
    return find(cloud, { Tags: JSON.stringify(filter) });
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

const LOAD_BALANCER = object({
    LoadBalancerId: requiredText,
    LoadBalancerName: text,
    LoadBalancerStatus: text,
    Address: text,
    AddressType: text,
    AddressIPVersion: text,
    VpcId: text,
    VSwitchId: text,
    InstanceChargeType: text,
    LoadBalancerSpec: text,
    // In list answers InternetChargeType is a number of an older API, and the word stands in the alias.
    InternetChargeType: text,
    InternetChargeTypeAlias: text,
    Bandwidth: number,
    PayType: text,
    MasterZoneId: text,
    SlaveZoneId: text,
    ResourceGroupId: text,
    DeleteProtection: text,
    ModificationProtectionStatus: text,
    ModificationProtectionReason: text,
    ListenerPortsAndProtocol: list(
        object({ ListenerProtocol: requiredText, ListenerPort: requiredNumber }),
        "ListenerPortAndProtocol",
    ),
    Tags: list(TAG, "Tag"),
});

const LOAD_BALANCERS = object({ LoadBalancers: list(LOAD_BALANCER, "LoadBalancer") });

async function find(cloud: Cloud, filter: Readonly<Record<string, unknown>>): Promise<LoadBalancer[]> {
    const action = "DescribeLoadBalancers";
    const found = await numberedItems(
        action,
        (PageNumber) => cloud.call("slb", action, { ...filter, PageNumber, PageSize: PAGE_SIZE }),
        (page) => readAnswer(action, LOAD_BALANCERS, page).LoadBalancers ?? [],
    );
    return found.map(toLoadBalancer);
}

function toLoadBalancer(answer: ReturnType<typeof LOAD_BALANCER.parse>): LoadBalancer {
    const protection = answer.DeleteProtection;
    return defined({
        id: answer.LoadBalancerId,
        name: answer.LoadBalancerName,
        status: answer.LoadBalancerStatus,
        address: answer.Address,
        addressType: answer.AddressType,
        addressIpVersion: answer.AddressIPVersion,
        vpcId: answer.VpcId,
        vswitchId: answer.VSwitchId,
        instanceChargeType: answer.InstanceChargeType,
        spec: answer.LoadBalancerSpec,
        internetChargeType: answer.InternetChargeTypeAlias ?? answer.InternetChargeType,
        bandwidth: answer.Bandwidth,
        payType: answer.PayType,
        masterZoneId: answer.MasterZoneId,
        slaveZoneId: answer.SlaveZoneId,
        resourceGroupId: answer.ResourceGroupId,
        deleteProtection: protection === "on" || protection === "off" ? protection : undefined,
        modificationProtectionStatus: answer.ModificationProtectionStatus,
        modificationProtectionReason: answer.ModificationProtectionReason,
        listeners: answer.ListenerPortsAndProtocol?.map(({ ListenerProtocol, ListenerPort }) => ({
            protocol: clbProtocol(ListenerProtocol),
            port: ListenerPort,
        })),
        tags: answer.Tags && readTags(answer.Tags),
    });
}
