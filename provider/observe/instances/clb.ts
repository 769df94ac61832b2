import { managed } from "../../backends/diff";
import type { ObservedAttributes, ReusedAttributes } from "../../schema/observed";
import { defined } from "../../schema/defined";
import { clbProtocol } from "../../schema/protocols";
import type { Cloud } from "../../cloud/http/client";
import * as slb from "../../clb/api";
import type { InstanceApi } from "./api";

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
        listListeners: async (id) =>
            (await slb.listListeners(cloud, id))?.map((listener) => ({ description: "", ...listener })),
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
