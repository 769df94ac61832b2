/** Reads an instance that Services reuse. */
import type { InstanceApi } from "./instances";
import type { Backend } from "../schema/backend";
import type { ObservedLoadBalancer, ObservedServerGroup, ReuseRequest } from "../schema/observed";
import { replacedListeners } from "../plan";

/**
 * Reads an instance with its tags, listeners and server groups. The number of calls does not depend on the Services.
 *
 * @returns undefined if there is no such instance.
 */
export async function observeLoadBalancer(api: InstanceApi, id: string): Promise<ObservedLoadBalancer | undefined> {
    const found = await api.describe(id);
    if (found === undefined) return undefined;
    const listening = api.listListeners(id);
    const grouped = listening.then((listeners = []) => {
        const groupIds = listeners.flatMap(({ serverGroupId }) => serverGroupId ?? []);
        return api.listGroups(id, groupIds);
    });
    const [tags, listeners = [], serverGroups] = await Promise.all([
        found.tags ?? api.listTags(id),
        listening,
        grouped,
    ]);
    return { ...found, tags, listeners, serverGroups };
}

/** Reads more of an instance. A caller can cache the answers. */
export interface GroupReader {
    readonly groups: (ids: readonly string[]) => Promise<readonly ObservedServerGroup[]>;
    readonly backends: (groupId: string) => Promise<readonly Backend[]>;
}

/** Reads the backends of the groups that a Service joins, and of those of listeners that it replaces, one call each. */
export async function observeGroups(
    request: ReuseRequest,
    instance: ObservedLoadBalancer,
    read: GroupReader,
): Promise<ObservedLoadBalancer> {
    const joined = new Set(request.joinedGroups.map(({ vgroupId }) => vgroupId));
    const replaced = replacedListeners(request, instance).flatMap(({ group }) => group?.id ?? []);
    const relevant = new Set([...joined, ...replaced]);
    // Groups of an NLB that no listener uses are not part of it.
    const missing = [...joined].filter((id) => !instance.serverGroups.some((group) => group.id === id)).sort();
    const more = request.loadBalancerType !== "nlb" || missing.length === 0 ? [] : await read.groups(missing);
    const serverGroups = await Promise.all(
        [...instance.serverGroups, ...more].map(async (group) =>
            relevant.has(group.id) ? { ...group, backends: await read.backends(group.id) } : group,
        ),
    );
    return { ...instance, serverGroups };
}
