/** What the cloud says of a load balancer that the Cloud Controller Manager has made. Reads alone. */
import {
    type Cloud,
    describeDomainExtensions,
    describeListener,
    describeLoadBalancer,
    findAclsByName,
    findLoadBalancersByName,
    findLoadBalancersByTag,
    type ListenerKey,
    listenerSetting,
} from "../../alicloud";
import type { InstanceApi } from "../../alicloud/instances";
import { clbInstances, toObservedAttributes } from "../../alicloud/instances/clb";
import { defaultLoadBalancerName, OWNER_TAG, sameOwner } from "../../model/names";
import { type AdoptionQuery, instanceId, noInstance } from "../instance-search";
import type { ObservedClb, ObservedClbListener, ObservedServerGroup } from "../../model/observed";
import { defined } from "../../schema/defined";

/**
 * Reads the instance of a Service: four calls, and one for each of its listeners and groups.
 *
 * @throws Error if there is none, or more than one.
 */
export async function observeClbForAdoption(cloud: Cloud, query: AdoptionQuery): Promise<ObservedClb> {
    const id = await instanceId(query, {
        byTag: (mark) => findLoadBalancersByTag(cloud, { [OWNER_TAG]: mark }),
        byName: (mark) => findLoadBalancersByName(cloud, mark),
    });
    const instance = await describeLoadBalancer(cloud, id);
    if (instance === undefined) {
        throw noInstance(id);
    }
    const api = clbInstances(cloud);
    const [tags, listeners, serverGroups, acls] = await Promise.all([
        api.listTags(id),
        Promise.all((instance.listeners ?? []).map((listener) => observeListener(cloud, id, listener))),
        observeGroups(api, id, query),
        query.withSourceRanges ? findAclsByName(cloud, defaultLoadBalancerName(query.uid)) : [],
    ]);
    const [acl] = acls;
    return {
        ...toObservedAttributes(instance),
        tags,
        listeners,
        serverGroups,
        ...defined({ aclId: acl }),
    };
}

async function observeListener(
    cloud: Cloud,
    id: string,
    { protocol, port }: ListenerKey,
): Promise<ObservedClbListener> {
    const [attributes = {}, domainExtensions] = await Promise.all([
        describeListener(cloud, id, protocol, port),
        protocol === "https" ? describeDomainExtensions(cloud, id, port) : [],
    ]);
    const serverGroupId = listenerSetting(attributes, "VServerGroupId");
    return {
        protocol,
        port,
        description: listenerSetting(attributes, "Description"),
        ...(serverGroupId === "" ? {} : { serverGroupId }),
        attributes,
        domainExtensions,
    };
}

async function observeGroups(
    api: InstanceApi,
    id: string,
    { owner, joined }: AdoptionQuery,
): Promise<ObservedServerGroup[]> {
    const groups = (await api.listGroups(id, [])).filter(
        (group) => sameOwner(group.name, owner) || joined.includes(group.id),
    );
    return Promise.all(groups.map(async (group) => ({ ...group, backends: await api.listBackends(group.id) })));
}
