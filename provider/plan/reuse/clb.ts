import type { Backend } from "../../schema/backend";
/** CLB that Services reuse. */
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { ObservedAttributes, ObservedListener, ObservedServerGroup } from "../../schema/observed";
import type { Tags } from "../../cloud/http/answer";
import type { ReusedAttributes } from "../../service/reuse";
import type { Cloud } from "../../cloud/http/cloud";
import * as slb from "../../clb";
import { managed } from "../../backends/diff";
import { clbProtocol } from "../../schema/protocols";
import { defined } from "../../schema/defined";

/** Access to the load balancers of one type, for the reuse of user-managed ones. */
export interface InstanceApi {
    readonly type: LoadBalancerType;
    /** Undefined if there is no such instance. Tags are absent where they cost another call. */
    describe(id: string): Promise<(ObservedAttributes & { readonly tags?: Tags }) | undefined>;
    /** Waits until an instance that is being created can be changed. */
    awaitReady(found: ObservedAttributes): Promise<void>;
    /** Sets the given attributes; others stay. */
    setAttributes(id: string, attributes: ReusedAttributes): Promise<void>;
    listTags(id: string): Promise<Tags>;
    setTags(id: string, tags: Tags): Promise<void>;
    removeTags(id: string, keys: readonly string[]): Promise<void>;
    /** Undefined if there is no such instance. */
    listListeners(id: string): Promise<ObservedListener[] | undefined>;
    deleteListener(id: string, listener: ObservedListener): Promise<void>;
    /**
     * Server groups without their backends: all of a CLB; of an NLB, whose groups belong to the VPC, those of `ids`.
     */
    listGroups(id: string, ids: readonly string[]): Promise<ObservedServerGroup[]>;
    /** Backends of a group, by backend key. */
    listBackends(groupId: string): Promise<readonly Backend[]>;
    /** Removes an owner's group. Absent for an NLB, whose groups are resources. */
    dropGroup?(groupId: string, owner: string): Promise<void>;
}

/** Returns the access to CLB instances. */
export function clbInstances(cloud: Cloud): InstanceApi {
    return {
        type: "clb",
        describe: async (id) => {
            const found = await slb.describeLoadBalancer(cloud, id);
            return found && toObservedAttributes(found);
        },
        awaitReady: () => Promise.resolve(),
        setAttributes: (id, attributes) => setAttributes(cloud, id, attributes),
        listTags: (id) => slb.listTags(cloud, id),
        setTags: (id, tags) => slb.setTags(cloud, id, tags),
        removeTags: (id, keys) => slb.removeTags(cloud, id, keys),
        listListeners: (id) => slb.listListeners(cloud, id),
        deleteListener: (id, { protocol, port }) => slb.deleteListener(cloud, id, clbProtocol(protocol), port),
        listGroups: (id) => slb.describeServerGroups(cloud, id),
        listBackends: async (groupId) => (await slb.describeServerGroup(cloud, groupId))?.backends ?? [],
        dropGroup: (groupId, owner) => dropGroup(cloud, groupId, owner),
    };
}

/** Returns the attributes of a CLB under the names that both load balancer types share. */
export function toObservedAttributes({
    addressIpVersion,
    modificationProtectionStatus,
    listeners: _,
    tags: __,
    payType: ___,
    ...attributes
}: slb.LoadBalancer): ObservedAttributes {
    const renamed = { ipVersion: addressIpVersion, modificationProtection: modificationProtectionStatus };
    return { ...attributes, ...defined(renamed) };
}

/** Modification protection is changed second to last: it does not stop API calls. */
async function setAttributes(cloud: Cloud, id: string, attributes: ReusedAttributes): Promise<void> {
    const { name, instanceChargeType, spec, internetChargeType, bandwidth, deleteProtection, modificationProtection } =
        attributes;
    if (instanceChargeType !== undefined) {
        const paidSpec = instanceChargeType === "PayBySpec" ? spec : undefined;
        await slb.setInstanceChargeType(cloud, id, instanceChargeType, paidSpec);
    } else if (spec !== undefined) {
        await slb.setSpec(cloud, id, spec);
    }
    if (internetChargeType !== undefined || bandwidth !== undefined)
        await slb.setInternetCharge(cloud, id, internetChargeType, bandwidth);
    if (name !== undefined) await slb.setLoadBalancerName(cloud, id, name);
    if (modificationProtection !== undefined) await slb.setModificationProtection(cloud, id, modificationProtection);
    if (deleteProtection !== undefined) await slb.setDeleteProtection(cloud, id, deleteProtection);
}

/** A group with user-managed backends stays, and keeps those. */
async function dropGroup(cloud: Cloud, id: string, owner: string): Promise<void> {
    const backends = (await slb.describeServerGroup(cloud, id))?.backends ?? [];
    const own = managed(backends, owner);
    await (own.length < backends.length ? slb.removeBackends(cloud, id, own) : slb.deleteServerGroup(cloud, id));
}
