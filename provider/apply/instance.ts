/** What the cloud says of an instance that Services are to use. Reads alone. */
import { type Cloud, describeLoadBalancer, describeServerGroup, describeServerGroups, listListeners, listTags, type BackendServer } from "../cloud";
import type { ExistingBackend, ExistingInstance, ReuseWish } from "../model/instance";
import { replacedListeners } from "../plan";

/**
 * Reads an instance with its tags, its listeners and the names of its vServer groups: four calls, the same for however many Services use it.
 *
 * @returns undefined if there is no such instance.
 */
export async function readInstance(cloud: Cloud, id: string): Promise<ExistingInstance | undefined> {
    const found = await describeLoadBalancer(cloud, id);
    if (found === undefined) {
        return undefined;
    }
    const [tags, listeners, serverGroups] = await Promise.all([listTags(cloud, "instance", id), listListeners(cloud, id), describeServerGroups(cloud, id)]);
    const { addressIpVersion, modificationProtectionStatus, modificationProtectionReason: _, listeners: __, tags: ___, payType: ____, vswitchId: _____, ...attributes } = found;
    return {
        ...attributes,
        ...(addressIpVersion === undefined ? {} : { ipVersion: addressIpVersion }),
        ...(modificationProtectionStatus === undefined ? {} : { modificationProtection: modificationProtectionStatus }),
        tags,
        listeners: (listeners ?? []).map((listener) => ({ description: "", ...listener })),
        serverGroups,
    };
}

/** Reads the members of those groups that matter to a Service: the ones that it joins, and those of listeners that it replaces. One call each. */
export async function readGroups(wish: ReuseWish, instance: ExistingInstance, backendsOf: (groupId: string) => Promise<readonly ExistingBackend[]>): Promise<ExistingInstance> {
    const matter = new Set([
        ...wish.joinedGroups.map(({ vgroupId }) => vgroupId),
        ...replacedListeners(wish, instance).flatMap(({ group }) => (group === undefined ? [] : [group.id])),
    ]);
    const serverGroups = await Promise.all(instance.serverGroups.map(async (group) => (matter.has(group.id) ? { ...group, backends: await backendsOf(group.id) } : group)));
    return { ...instance, serverGroups };
}

/** Members of a group, as they are told to people. */
export async function readBackends(cloud: Cloud, groupId: string): Promise<ExistingBackend[]> {
    return ((await describeServerGroup(cloud, groupId))?.backends ?? []).map(tell);
}

function tell(server: BackendServer): ExistingBackend {
    const host = server.type === "ecs" ? server.serverId : (server.serverIp ?? server.serverId);
    return { address: `${host}:${server.port}`, weight: server.weight, description: server.description ?? "" };
}
