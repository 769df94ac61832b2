/** Instance of a CLB: type, building, reading and writing. */
import {
    type ClusterGroup,
    clusterGroupOf,
    instanceChargeTypeOf,
    ipVersionOf,
    listenersManaged,
    settingsOfPayBySpec,
} from "../service/annotations";
import type { Service } from "../service/service";
import { type ClbProtocol, clbProtocol } from "../schema/protocols";
import { type ClusterFacts, follows } from "../schema/facts";
import { defined } from "../schema/defined";
import { familyOf } from "../schema/cidr";
import type { InstanceAsObserved } from "../schema/observed";
import type { ImmutableFields, OnOff, Settings } from "../schema/settings";
import { type ReusedAttributes, reuseImmutableFields } from "../service/reuse";
import { admitsAll } from "../service/source-ranges";
import * as api from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { ignoreNotFound } from "../cloud/http/error";
import { listByNumber, readObject } from "../cloud/http/page";

export interface ClbLoadBalancer {
    /** Name from the annotation. If absent, it is derived from the Service's UID ({@link defaultLoadBalancerName}). */
    readonly name?: string;
    readonly addressType: "internet" | "intranet";
    /** Only for `intranet`. */
    readonly vswitch?: VSwitchSelector;
    /** Static address, only for `intranet`. If absent, the cloud chooses. */
    readonly address?: string;
    readonly ipVersion: "ipv4" | "ipv6";
    /** Primary and secondary zone. If absent, the cloud chooses. */
    readonly masterZoneId?: string;
    readonly slaveZoneId?: string;
    /** Absent = the cloud chooses. */
    readonly resourceGroupId?: string;
    readonly instanceChargeType: "PayBySpec" | "PayByCLCU";
    /** Only for `PayBySpec`. */
    readonly spec?: string;
    /** Only for `internet`. */
    readonly internetChargeType?: "PayByTraffic" | "PayByBandwidth";
    /** Mbps, only for `PayByBandwidth`. */
    readonly bandwidth?: number;
    readonly deleteProtection: OnOff;
    readonly modificationProtection: "ConsoleProtection" | "NonProtection";
    readonly additionalTags: Readonly<Record<string, string>>;
    /** True if the instance is preserved when its Service is deleted. */
    readonly preserve: boolean;
    /** Address ranges that may connect, for a managed access control list. If there are none, there is no list. */
    readonly sourceRanges: readonly string[];
}

/** Choice of the vSwitch of an internal instance: a named vSwitch, or one of the cluster's. */
export interface VSwitchSelector {
    readonly named?: string;
    /** `first` takes any state. `available` takes the first with a free address. */
    readonly rule: "first" | "available";
}

/** Bandwidth of a pay-by-bandwidth instance, Mbps. Source: "Configure CLB using annotations", pay-by-bandwidth. */
const DEFAULT_BANDWIDTH = 50;

/** Specification of a PayBySpec instance. Source: "Configure CLB using annotations", instance type. */
const DEFAULT_SPEC = "slb.s1.small";

/** Builds the instance of a Service. Documented defaults are written out: removing an annotation restores them. */
export function buildClbLoadBalancer(service: Service, facts: ClusterFacts): ClbLoadBalancer {
    return buildInstance(service.settings, facts, sourceRanges(service));
}

export function buildInstance(
    settings: Settings,
    facts: ClusterFacts,
    sourceRanges: readonly string[],
): ClbLoadBalancer {
    const addressType = settings.addressType ?? "internet";
    const instanceChargeType = instanceChargeTypeOf(settings, facts);
    const internal = addressType === "intranet";
    const byBandwidth = settings.chargeType === "paybybandwidth";
    return defined({
        name: settings.name,
        addressType,
        vswitch: internal ? buildVSwitch(settings, facts) : undefined,
        address: internal ? settings.ip : undefined,
        ipVersion: ipVersionOf(settings),
        masterZoneId: settings.masterZoneid,
        slaveZoneId: settings.slaveZoneid,
        resourceGroupId: settings.resourceGroupId,
        instanceChargeType,
        spec: specFor(settings, instanceChargeType),
        internetChargeType: internal ? undefined : byBandwidth ? "PayByBandwidth" : "PayByTraffic",
        bandwidth: !internal && byBandwidth ? (settings.bandwidth ?? DEFAULT_BANDWIDTH) : undefined,
        deleteProtection: settings.deleteProtection ?? "on",
        modificationProtection: settings.modificationProtection ?? "ConsoleProtection",
        additionalTags: settings.additionalResourceTags ?? {},
        preserve: settings.preserveLbOnDelete !== undefined,
        sourceRanges,
    });
}

/** Returns the specification of an instance by its charge type, which may differ from the model's. */
export function specFor({ spec }: Pick<ClbLoadBalancer, "spec">, instanceChargeType: string): string | undefined {
    return instanceChargeType === "PayBySpec" ? (spec ?? DEFAULT_SPEC) : undefined;
}

/**
 * Returns the arguments of the alicloud plugin for an instance, but for its name, vSwitch, resource group and charge.
 * Documented defaults are written out: console edits show as drift, and removed settings return to their defaults.
 *
 * @param reason reason of the protection against changes
 * @param tags ownership tags
 */
export function clbInstanceArguments<Reason, Tag>(
    model: ClbLoadBalancer,
    reason: Reason,
    tags: Readonly<Record<string, Tag>>,
) {
    return {
        addressType: model.addressType,
        address: model.address,
        addressIpVersion: model.ipVersion,
        masterZoneId: model.masterZoneId,
        slaveZoneId: model.slaveZoneId,
        internetChargeType: model.internetChargeType,
        bandwidth: model.bandwidth,
        deleteProtection: model.deleteProtection,
        modificationProtectionStatus: model.modificationProtection,
        modificationProtectionReason: model.modificationProtection === "ConsoleProtection" ? reason : undefined,
        tags: { ...model.additionalTags, ...tags },
    };
}

function buildVSwitch({ vswitchId: named }: Settings, facts: ClusterFacts): VSwitchSelector {
    return {
        ...defined({ named }),
        rule: follows(facts, "availableVSwitch") ? "available" : "first",
    };
}

/**
 * Returns the address ranges that may connect, of the load balancer's IP version. An empty list allows all. A list by
 * annotation has priority, and without managed listeners there is nothing to restrict.
 */
export function sourceRanges(service: Service): string[] {
    const { settings, loadBalancerSourceRanges } = service;
    if (!listenersManaged(settings) || (settings.aclStatus === "on" && settings.aclId !== undefined)) return [];
    const version = ipVersionOf(settings);
    const ranges = [...new Set(loadBalancerSourceRanges.filter((range) => familyOf(range) === version))];
    return admitsAll(ranges, version) ? [] : ranges;
}

/**
 * Returns the create-only settings, for the contract: those that are set or that have a documented default. An unset
 * setting cannot conflict.
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

/** Returns the charge type that the settings require, or undefined if they allow both. */
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

const LISTENER_KEY = api.converted(
    api.object({ ListenerProtocol: api.requiredText, ListenerPort: api.requiredNumber }),
    ({ ListenerProtocol, ListenerPort }) => ({ protocol: clbProtocol(ListenerProtocol), port: ListenerPort }),
);

const INSTANCE = api.fields({
    id: ["LoadBalancerId", api.requiredText],
    name: ["LoadBalancerName", api.text],
    /** `active`, `inactive` or `locked`. */
    status: ["LoadBalancerStatus", api.text],
    address: ["Address", api.text],
    addressType: ["AddressType", api.word<ClbLoadBalancer["addressType"]>()],
    ipVersion: ["AddressIPVersion", api.word<ClbLoadBalancer["ipVersion"]>()],
    vpcId: ["VpcId", api.text],
    vswitchId: ["VSwitchId", api.text],
    instanceChargeType: ["InstanceChargeType", api.word<ClbLoadBalancer["instanceChargeType"]>()],
    spec: ["LoadBalancerSpec", api.text],
    /** `paybytraffic` or `paybybandwidth`. List answers have a number of an older API. */
    internetChargeType: ["InternetChargeType", api.text],
    /** The word for that number. */
    internetChargeTypeAlias: ["InternetChargeTypeAlias", api.text],
    /** Mbit/s. */
    bandwidth: ["Bandwidth", api.number],
    masterZoneId: ["MasterZoneId", api.text],
    slaveZoneId: ["SlaveZoneId", api.text],
    resourceGroupId: ["ResourceGroupId", api.text],
    deleteProtection: ["DeleteProtection", api.word<OnOff>()],
    modificationProtection: ["ModificationProtectionStatus", api.word<ClbLoadBalancer["modificationProtection"]>()],
    modificationProtectionReason: ["ModificationProtectionReason", api.text],
    /** Only in the answer for a single instance. */
    listeners: ["ListenerPortsAndProtocol", api.list(LISTENER_KEY, "ListenerPortAndProtocol")],
    /** Only in list answers. */
    tags: ["Tags", api.optional(api.tagList("Tag"))],
});

export interface ObservedClbLoadBalancer extends Omit<InstanceAsObserved<ClbLoadBalancer>, "internetChargeType"> {
    readonly kind: "clb";
    readonly vswitchId?: string;
    /** As {@link ClbLoadBalancer.internetChargeType}, in lower case. */
    readonly internetChargeType?: string;
    /** Only in the answer for a single instance. */
    readonly listeners?: readonly { readonly protocol: ClbProtocol; readonly port: number }[];
}

const LOAD_BALANCER = api.converted(
    INSTANCE,
    ({ internetChargeTypeAlias: alias, ...instance }): ObservedClbLoadBalancer => ({
        kind: "clb",
        ...instance,
        ...defined({ internetChargeType: alias ?? instance.internetChargeType }),
    }),
);

/** Returns the load balancer with this id, or undefined if there is none (DescribeLoadBalancerAttribute). */
export function describeLoadBalancer(cloud: Cloud, id: string): Promise<ObservedClbLoadBalancer | undefined> {
    const params = { LoadBalancerId: id };
    return readObject(cloud, "slb", "DescribeLoadBalancerAttribute", params, LOAD_BALANCER, "loadBalancer");
}

/** Returns the load balancers of the region that have all these tags (DescribeLoadBalancers, every page). */
export function findLoadBalancersByTag(cloud: Cloud, tags: api.Tags): Promise<ObservedClbLoadBalancer[]> {
    const pairs = Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));
    return find(cloud, { Tags: JSON.stringify(pairs) });
}

/** Returns the load balancers of the region with exactly this name (DescribeLoadBalancers, every page). */
export async function findLoadBalancersByName(cloud: Cloud, name: string): Promise<ObservedClbLoadBalancer[]> {
    const found = await find(cloud, { LoadBalancerName: name });
    return found.filter((loadBalancer) => loadBalancer.name === name);
}

/** Returns the load balancers of the region with this address, which internal instances of several VPCs may share. */
export const findLoadBalancersByAddress = (cloud: Cloud, address: string): Promise<ObservedClbLoadBalancer[]> =>
    find(cloud, { Address: address });

function find(cloud: Cloud, filter: Readonly<Record<string, unknown>>): Promise<ObservedClbLoadBalancer[]> {
    const field = ["LoadBalancers", LOAD_BALANCER, "LoadBalancer"] as const;
    return listByNumber(cloud, "slb", "DescribeLoadBalancers", { ...filter, PageSize: 100 }, field);
}

/**
 * Deletes a load balancer with its listeners and groups, if it exists (DeleteLoadBalancer). Fails if it is protected.
 */
export async function deleteLoadBalancer(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("loadBalancer", cloud.call("slb", "DeleteLoadBalancer", { LoadBalancerId: id }));
}

/** Switches the protection against deletion (SetLoadBalancerDeleteProtection). */
export async function setDeleteProtection(cloud: Cloud, id: string, protection: OnOff): Promise<void> {
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

/**
 * Sets attributes of an instance, and leaves others. Modification protection is changed second to last, because it does
 * not stop API calls.
 */
export async function setAttributes(cloud: Cloud, id: string, attributes: ReusedAttributes): Promise<void> {
    const { name, instanceChargeType, spec, internetChargeType, bandwidth, deleteProtection, modificationProtection } =
        attributes;
    const set = (action: string, params: Readonly<Record<string, unknown>>) =>
        cloud.call("slb", action, { LoadBalancerId: id, ...params });
    if (instanceChargeType !== undefined)
        await set("ModifyLoadBalancerInstanceChargeType", {
            InstanceChargeType: instanceChargeType,
            LoadBalancerSpec: instanceChargeType === "PayBySpec" ? spec : undefined,
        });
    else if (spec !== undefined) await set("ModifyLoadBalancerInstanceSpec", { LoadBalancerSpec: spec });
    if (internetChargeType !== undefined || bandwidth !== undefined)
        await set("ModifyLoadBalancerInternetSpec", {
            InternetChargeType: internetChargeType?.toLowerCase(),
            Bandwidth: bandwidth,
        });
    if (name !== undefined) await set("SetLoadBalancerName", { LoadBalancerName: name });
    if (modificationProtection !== undefined) await setModificationProtection(cloud, id, modificationProtection);
    if (deleteProtection !== undefined) await setDeleteProtection(cloud, id, deleteProtection);
}
