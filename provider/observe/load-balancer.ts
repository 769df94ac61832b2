/** What the cloud says of an instance that Services are to use. Reads alone. */
import type { ObservedBackend, ObservedServerGroup, ObservedLoadBalancer, ReuseRequest } from "../model/observed";
import { replacedListeners } from "../plan";
import type { InstanceApi } from "../alicloud/instances";

/**
 * Reads an instance with its tags, its listeners and its server groups: the same few calls for however many Services use it.
 *
 * @returns undefined if there is no such instance.
 */
export async function observeLoadBalancer(api: InstanceApi, id: string): Promise<ObservedLoadBalancer | undefined> {
    const found = await api.describe(id);
    if (found === undefined) {
        return undefined;
    }
    const listening = api.listListeners(id);
    const grouped = listening.then((listeners = []) =>
        api.listGroups(
            id,
            listeners.flatMap(({ serverGroupId }) => serverGroupId ?? []),
        ),
    );
    const [tags, listeners = [], serverGroups] = await Promise.all([
        found.tags ?? api.listTags(id),
        listening,
        grouped,
    ]);
    return { ...found, tags, listeners, serverGroups };
}

/** How more of an instance is read, for whoever wants to keep the answers. */
export interface GroupReader {
    readonly groups: (ids: readonly string[]) => Promise<readonly ObservedServerGroup[]>;
    readonly backends: (groupId: string) => Promise<readonly ObservedBackend[]>;
}

/** Reads the groups that matter to a Service: the ones that it joins, and those of listeners that it replaces. One call for the members of each. */
export async function observeGroups(
    request: ReuseRequest,
    instance: ObservedLoadBalancer,
    read: GroupReader,
): Promise<ObservedLoadBalancer> {
    const joined = request.joinedGroups.map(({ vgroupId }) => vgroupId);
    const groups = [...instance.serverGroups, ...(await missing(request, instance, joined, read))];
    const matter = new Set([
        ...joined,
        ...replacedListeners(request, instance).flatMap(({ group }) => (group === undefined ? [] : [group.id])),
    ]);
    const serverGroups = await Promise.all(
        groups.map(async (group) =>
            matter.has(group.id) ? { ...group, backends: await read.backends(group.id) } : group,
        ),
    );
    return { ...instance, serverGroups };
}

/** Groups of an NLB that no listener uses yet are not known from it. */
async function missing(
    request: ReuseRequest,
    { serverGroups }: ObservedLoadBalancer,
    joined: readonly string[],
    read: GroupReader,
): Promise<readonly ObservedServerGroup[]> {
    const ids = [...new Set(joined)].filter((id) => !serverGroups.some((group) => group.id === id)).sort();
    return request.loadBalancerType !== "nlb" || ids.length === 0 ? [] : read.groups(ids);
}
