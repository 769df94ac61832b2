/** A Service on a user-managed instance: the tags that it sets there, and how it leaves. */
import type { Tags } from "../alicloud";
import type { ObservedServerGroup, ObservedListener } from "../model/observed";
import { clusterUidTag, isOwnershipKey, REUSED_TAG, sameCluster, sameOwner } from "../model/names";
import { type FormerTags, listenerName, termsFor } from "../plan";
import type { InstanceApi } from "../alicloud/instances";

/** Tags before they were set; a tag that was not there is absent. */
export type PreviousTags = Tags;

/**
 * Brings the instance's tags from those that this Service has set to those that it sets now. Tags of others are not touched; one that got another value gets its
 * former one back.
 *
 * @param recorded what tags were before an earlier run set them, which was killed before it could say so. Default: they are as they were.
 * @returns what to go back to later.
 */
export async function updateTags(
    api: InstanceApi,
    id: string,
    before: Tags,
    after: Tags,
    former: PreviousTags,
    recorded: FormerTags = {},
): Promise<PreviousTags> {
    const added = Object.entries(after).filter(([key, value]) => before[key] !== value);
    const dropped = Object.keys(before).filter((key) => !(key in after));
    const fresh = added.filter(([key]) => !(key in before)).map(([key]) => key);
    const actual = fresh.length === 0 ? {} : await api.listTags(id);
    await setTags(api, id, Object.fromEntries(added.filter(([key, value]) => actual[key] !== value)));
    await restoreTags(api, id, dropped, former);
    // These tags are those of all Services on the instance: the last one takes them off, whoever came first.
    return {
        ...pick(former, (key) => key in after),
        ...pick(actual, (key) => fresh.includes(key) && !(key in recorded) && !isSharedTag(key)),
        ...recordedValues(recorded, fresh),
    };
}

function recordedValues(recorded: FormerTags, keys: readonly string[]): PreviousTags {
    return Object.fromEntries(
        keys.flatMap((key) => {
            const value = recorded[key]?.value;
            return value === undefined ? [] : [[key, value]];
        }),
    );
}

const isSharedTag = (key: string): boolean => key === REUSED_TAG || key.startsWith(clusterUidTag(""));

/** Takes tags off, or gives them back the values that they had. */
async function restoreTags(api: InstanceApi, id: string, keys: readonly string[], former: PreviousTags): Promise<void> {
    await setTags(
        api,
        id,
        pick(former, (key) => keys.includes(key)),
    );
    const gone = keys.filter((key) => !(key in former));
    await (gone.length === 0 ? undefined : api.removeTags(id, gone));
}

async function setTags(api: InstanceApi, id: string, tags: Tags): Promise<void> {
    await (Object.keys(tags).length === 0 ? undefined : api.setTags(id, tags));
}

function pick(tags: Tags, isKept: (key: string) => boolean): Tags {
    return Object.fromEntries(Object.entries(tags).filter(([key]) => isKept(key)));
}

/** A Service that leaves an instance. */
export interface DetachRequest {
    readonly loadBalancerId: string;
    /** Any ownership key of the Service. */
    readonly owner: string;
    /** Tags that the Service has set. */
    readonly tags: Tags;
    readonly former: PreviousTags;
}

/**
 * Takes a Service off an instance that stays: its listeners, its vServer groups with their members, its tags. Whatever does not bear the Service's own mark is left
 * alone, and so is a vServer group of the Service that holds user-managed members. Server groups of an NLB go by themselves, afterwards.
 *
 * @throws Error before anything is removed, if a user-managed listener sends its traffic to a group of the Service.
 */
export async function detachService(api: InstanceApi, request: DetachRequest): Promise<void> {
    const { loadBalancerId, owner } = request;
    const found = await look(api, loadBalancerId, owner);
    if (found === undefined) {
        return;
    }
    const { own, userManaged, groups } = found;
    const ownGroups = groups.filter(({ name }) => sameOwner(name, owner));
    refuseIfUsed(loadBalancerId, userManaged, ownGroups, termsFor({ loadBalancerType: api.type }).group);
    // A listener that redirects is deleted before its target.
    for (const listener of [...own].sort(
        (a, b) => Number(a.forwardPort === undefined) - Number(b.forwardPort === undefined),
    )) {
        await api.deleteListener(loadBalancerId, listener);
    }
    for (const { id } of ownGroups) {
        await api.dropGroup?.(id, owner);
    }
    // Others may have left meanwhile, and have seen this Service: whoever leaves last takes the common tags off.
    const others =
        found.others.length > 0 && Object.keys(request.tags).some(isSharedTag)
            ? ((await look(api, loadBalancerId, owner))?.others ?? [])
            : found.others;
    const ofCluster = others.some((mark) => sameCluster(mark, owner));
    const stays = (key: string) => (key === REUSED_TAG ? others.length > 0 : isSharedTag(key) && ofCluster);
    await restoreTags(
        api,
        loadBalancerId,
        Object.keys(request.tags).filter((key) => !stays(key)),
        request.former,
    );
}

/** What is on an instance. */
interface Found {
    readonly own: readonly ObservedListener[];
    /** Listeners that are not this Service's. */
    readonly userManaged: readonly ObservedListener[];
    /** Server groups: a CLB's, or those that listeners of others use. */
    readonly groups: readonly ObservedServerGroup[];
    /** Ownership marks of other Services. */
    readonly others: readonly string[];
}

/** @returns undefined if the instance is gone */
async function look(api: InstanceApi, loadBalancerId: string, owner: string): Promise<Found | undefined> {
    const listeners = await api.listListeners(loadBalancerId);
    if (listeners === undefined) {
        return undefined;
    }
    const userManaged = listeners.filter(({ description }) => !sameOwner(description, owner));
    const groups = await api.listGroups(
        loadBalancerId,
        userManaged.flatMap(({ serverGroupId }) => serverGroupId ?? []),
    );
    const marks = [...groups.map(({ name }) => name), ...userManaged.map(({ description }) => description)];
    return {
        own: listeners.filter((listener) => !userManaged.includes(listener)),
        userManaged,
        groups,
        others: marks.filter((mark): mark is string => isOwnershipKey(mark) && !sameOwner(mark, owner)),
    };
}

function refuseIfUsed(
    loadBalancerId: string,
    userManaged: readonly ObservedListener[],
    ownGroups: readonly ObservedServerGroup[],
    noun: string,
): void {
    const users = userManaged.flatMap((listener) => {
        const group = ownGroups.find(({ id }) => id === listener.serverGroupId);
        return group === undefined
            ? []
            : [
                  `listener ${listenerName(listener)} (description "${listener.description}") sends to ${noun} "${group.name}"`,
              ];
    });
    if (users.length > 0) {
        throw new Error(
            `the Service cannot leave load balancer ${loadBalancerId}, and nothing was removed: ${users.join("; ")}. ` +
                "Cause: these listeners are not the Service's, and the cloud deletes no group that is used. Remedy: point them to another group or delete them, then run again.",
        );
    }
}
