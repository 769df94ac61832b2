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
} from "../alicloud";
import type { InstanceApi } from "../alicloud/instances";
import { clbInstances, toObservedAttributes } from "../alicloud/instances/clb";
import { defaultLoadBalancerName, OWNER_TAG, sameOwner } from "../model/names";
import type { ObservedClb, ObservedClbListener, ObservedServerGroup } from "../model/observed";

/** What to look for. */
export interface AdoptionQuery {
    /** `metadata.uid` of the Service. */
    readonly uid: string;
    /** Any ownership key of the Service. */
    readonly owner: string;
    /** Id of the instance; absent = found by the mark that its maker left on it. */
    readonly loadBalancerId?: string;
    /** Look for an access control list of the Service's source ranges, too. */
    readonly withAcl: boolean;
}

/**
 * Reads the instance of a Service: four calls, and one for each of its listeners and groups.
 *
 * @throws Error if there is none, or more than one.
 */
export async function observeForAdoption(cloud: Cloud, query: AdoptionQuery): Promise<ObservedClb> {
    const id = query.loadBalancerId ?? (await findInstance(cloud, query.uid));
    const instance = await describeLoadBalancer(cloud, id);
    if (instance === undefined) {
        throw new Error(
            `there is no load balancer ${id} in this region. Remedy: correct the id, or leave it out to let it be found by its tag.`,
        );
    }
    const api = clbInstances(cloud);
    const [tags, listeners, serverGroups, acls] = await Promise.all([
        api.listTags(id),
        Promise.all((instance.listeners ?? []).map((listener) => observeListener(cloud, id, listener))),
        observeOwnGroups(api, id, query.owner),
        query.withAcl ? findAclsByName(cloud, defaultLoadBalancerName(query.uid)) : [],
    ]);
    const [acl] = acls;
    return {
        ...toObservedAttributes(instance),
        tags,
        listeners,
        serverGroups,
        ...(acl === undefined ? {} : { aclId: acl }),
    };
}

/** In the order in which the Cloud Controller Manager looks: by the ownership tag, then by the name that follows from the UID. */
async function findInstance(cloud: Cloud, uid: string): Promise<string> {
    const mark = defaultLoadBalancerName(uid);
    const tagged = await findLoadBalancersByTag(cloud, { [OWNER_TAG]: mark });
    const found = tagged.length > 0 ? tagged : await findLoadBalancersByName(cloud, mark);
    const [only] = found;
    if (only === undefined) {
        throw new Error(
            `no load balancer bears the tag ${OWNER_TAG}=${mark} or the name ${mark}. Cause: none was made for this Service yet, it was deleted, or this is another region or account. ` +
                "Remedy: check region and credentials, or give the instance's id.",
        );
    }
    if (found.length > 1) {
        throw new Error(
            `${found.map(({ id }) => id).join(" and ")} all bear the tag or name ${mark}. Remedy: give the id of the one that serves, and take the tag off the others, which nobody manages.`,
        );
    }
    return only.id;
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

async function observeOwnGroups(api: InstanceApi, id: string, owner: string): Promise<ObservedServerGroup[]> {
    const own = (await api.listGroups(id, [])).filter(({ name }) => sameOwner(name, owner));
    return Promise.all(own.map(async (group) => ({ ...group, backends: await api.listBackends(group.id) })));
}
