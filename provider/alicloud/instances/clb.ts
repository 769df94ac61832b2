import {
    type Cloud,
    deleteListener,
    deleteServerGroup,
    describeLoadBalancer,
    describeServerGroup,
    describeServerGroups,
    listListeners,
    listTags,
    type LoadBalancer,
    removeBackends,
    removeTags,
    setDeleteProtection,
    setInstanceChargeType,
    setInternetCharge,
    setLoadBalancerName,
    setModificationProtection,
    setSpec,
    setTags,
} from "..";
import { backendOf, formatBackendKey } from "../../backend/member";
import type { BackendServer } from "../../model/backend";
import type { ObservedBackend, ReusedAttributes, ObservedAttributes } from "../../model/observed";
import { sameOwner } from "../../model/names";
import { clbProtocol } from "../../schema/protocols";
import type { InstanceApi } from "./api";
import { defined } from "../../schema/defined";

/** CLB instances. */
export function clbInstances(cloud: Cloud): InstanceApi {
    return {
        type: "clb",
        describe: (id) => describe(cloud, id),
        awaitReady: () => Promise.resolve(),
        setAttributes: (id, attributes) => setAttributes(cloud, id, attributes),
        listTags: (id) => listTags(cloud, "instance", id),
        setTags: (id, tags) => setTags(cloud, "instance", id, tags),
        removeTags: (id, keys) => removeTags(cloud, "instance", id, keys),
        listListeners: async (id) =>
            (await listListeners(cloud, id))?.map((listener) => ({ description: "", ...listener })),
        deleteListener: (id, { protocol, port }) => deleteListener(cloud, id, clbProtocol(protocol), port),
        listGroups: (id) => describeServerGroups(cloud, id),
        listBackends: async (groupId) =>
            ((await describeServerGroup(cloud, groupId))?.backends ?? []).map(toObservedBackend),
        dropGroup: (groupId, owner) => dropGroup(cloud, groupId, owner),
    };
}

/** A member of a server group by its backend key. */
export function toObservedBackend(server: BackendServer): ObservedBackend {
    return { key: formatBackendKey(backendOf(server)), weight: server.weight, description: server.description ?? "" };
}

async function describe(cloud: Cloud, id: string): Promise<ObservedAttributes | undefined> {
    const found = await describeLoadBalancer(cloud, id);
    return found && toObservedAttributes(found);
}

/** An instance in the words that both kinds of load balancer share. */
export function toObservedAttributes({
    addressIpVersion,
    modificationProtectionStatus,
    listeners: _,
    tags: __,
    payType: ___,
    ...attributes
}: LoadBalancer): ObservedAttributes {
    return {
        ...attributes,
        ...defined({ ipVersion: addressIpVersion, modificationProtection: modificationProtectionStatus }),
    };
}

/** One call for each attribute that is named. The protection against changes in the console does not hold up the API. */
async function setAttributes(cloud: Cloud, id: string, attributes: ReusedAttributes): Promise<void> {
    const { name, instanceChargeType, spec, internetChargeType, bandwidth, deleteProtection, modificationProtection } =
        attributes;
    if (instanceChargeType !== undefined) {
        await setInstanceChargeType(
            cloud,
            id,
            instanceChargeType,
            instanceChargeType === "PayBySpec" ? spec : undefined,
        );
    } else if (spec !== undefined) {
        await setSpec(cloud, id, spec);
    }
    if (internetChargeType !== undefined || bandwidth !== undefined) {
        await setInternetCharge(cloud, id, internetChargeType, bandwidth);
    }
    if (name !== undefined) {
        await setLoadBalancerName(cloud, id, name);
    }
    if (modificationProtection !== undefined) {
        await setModificationProtection(cloud, id, modificationProtection);
    }
    if (deleteProtection !== undefined) {
        await setDeleteProtection(cloud, id, deleteProtection);
    }
}

/** A group that holds user-managed members stays, with those. */
async function dropGroup(cloud: Cloud, id: string, owner: string): Promise<void> {
    const backends = (await describeServerGroup(cloud, id))?.backends ?? [];
    const own = backends.filter(({ description }) => sameOwner(description, owner));
    if (own.length < backends.length) {
        await removeBackends(cloud, id, own);
    } else {
        await deleteServerGroup(cloud, id);
    }
}
