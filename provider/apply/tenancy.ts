/** A Service on an instance of somebody else: what it sets of the instance, and how it leaves. */
import {
    type Cloud,
    deleteListener,
    deleteServerGroup,
    describeServerGroup,
    describeServerGroups,
    listListeners,
    type ListedListener,
    listTags,
    removeBackends,
    removeTags,
    setDeleteProtection,
    setInstanceChargeType,
    setInternetCharge,
    setLoadBalancerName,
    setModificationProtection,
    setSpec,
    setTags,
    type Tags,
} from "../cloud";
import type { InstanceAttributes } from "../model/instance";
import { isOwnershipKey, REUSED_TAG, sameOwner } from "../model/names";

/** Sets attributes of the instance, one call for each that is named. The protection against changes in the console does not hold up the API. */
export async function setAttributes(cloud: Cloud, id: string, attributes: InstanceAttributes): Promise<void> {
    const { name, instanceChargeType, spec, internetChargeType, bandwidth, deleteProtection, modificationProtection } = attributes;
    if (instanceChargeType !== undefined) {
        await setInstanceChargeType(cloud, id, instanceChargeType, instanceChargeType === "PayBySpec" ? spec : undefined);
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

/** Tags before they were set; a tag that was not there is absent. */
export type FormerTags = Tags;

/**
 * Brings the instance's tags from those that this Service has set to those that it sets now. Tags of others are not touched; one that got another value gets its
 * former one back.
 *
 * @returns what to go back to later.
 */
export async function changeTags(cloud: Cloud, id: string, before: Tags, after: Tags, former: FormerTags): Promise<FormerTags> {
    const added = Object.entries(after).filter(([key, value]) => before[key] !== value);
    const dropped = Object.keys(before).filter((key) => !(key in after));
    const fresh = added.filter(([key]) => !(key in before)).map(([key]) => key);
    const actual = fresh.length === 0 ? {} : await listTags(cloud, "instance", id);
    await setTags(cloud, "instance", id, Object.fromEntries(added.filter(([key, value]) => actual[key] !== value)));
    await restoreTags(cloud, id, dropped, former);
    return { ...pick(former, (key) => key in after), ...pick(actual, (key) => fresh.includes(key)) };
}

/** Takes tags off, or gives them back the values that they had. */
async function restoreTags(cloud: Cloud, id: string, keys: readonly string[], former: FormerTags): Promise<void> {
    await setTags(
        cloud,
        "instance",
        id,
        pick(former, (key) => keys.includes(key)),
    );
    await removeTags(
        cloud,
        "instance",
        id,
        keys.filter((key) => !(key in former)),
    );
}

function pick(tags: Tags, wanted: (key: string) => boolean): Tags {
    return Object.fromEntries(Object.entries(tags).filter(([key]) => wanted(key)));
}

/** A Service that leaves an instance. */
export interface Leaving {
    readonly loadBalancerId: string;
    /** Any ownership key of the Service. */
    readonly owner: string;
    /** Tags that the Service has set. */
    readonly tags: Tags;
    readonly former: FormerTags;
}

/**
 * Takes a Service off an instance that stays: its listeners, its vServer groups with their members, its tags. Whatever does not bear the Service's own mark is left
 * alone, and so is a group of the Service that holds somebody else's members.
 *
 * @throws Error before anything is removed, if a listener of somebody else sends its traffic to a group of the Service.
 */
export async function leaveInstance(cloud: Cloud, leaving: Leaving): Promise<void> {
    const { loadBalancerId, owner } = leaving;
    const listeners = await listListeners(cloud, loadBalancerId);
    if (listeners === undefined) {
        return;
    }
    const groups = await describeServerGroups(cloud, loadBalancerId);
    const ownGroups = groups.filter(({ name }) => sameOwner(name, owner));
    const own = listeners.filter(({ description }) => sameOwner(description, owner));
    refuseIfUsed(
        leaving,
        listeners.filter((listener) => !own.includes(listener)),
        ownGroups,
    );
    // One that redirects goes before its target.
    for (const { protocol, port } of [...own].sort((a, b) => Number(a.forwardPort === undefined) - Number(b.forwardPort === undefined))) {
        await deleteListener(cloud, loadBalancerId, protocol, port);
    }
    for (const { id } of ownGroups) {
        await deleteGroup(cloud, id, owner);
    }
    const shared =
        groups.some(({ name }) => isOwnershipKey(name) && !sameOwner(name, owner)) ||
        listeners.some(({ description }) => isOwnershipKey(description) && !sameOwner(description, owner));
    await restoreTags(
        cloud,
        loadBalancerId,
        Object.keys(leaving.tags).filter((key) => !(shared && key === REUSED_TAG)),
        leaving.former,
    );
}

function refuseIfUsed({ loadBalancerId }: Leaving, foreign: readonly ListedListener[], ownGroups: readonly { readonly id: string; readonly name: string }[]): void {
    const users = foreign.flatMap((listener) => {
        const group = ownGroups.find(({ id }) => id === listener.serverGroupId);
        return group === undefined ? [] : [`listener ${listener.protocol}:${listener.port} (description "${listener.description ?? ""}") sends to vServer group "${group.name}"`];
    });
    if (users.length > 0) {
        throw new Error(
            `the Service cannot leave load balancer ${loadBalancerId}, and nothing was removed: ${users.join("; ")}. ` +
                "Cause: these listeners are not the Service's, and the cloud deletes no group that is used. Remedy: point them to another group or delete them, then run again.",
        );
    }
}

/** A group that somebody else uses too stays, with their members. */
async function deleteGroup(cloud: Cloud, id: string, owner: string): Promise<void> {
    const backends = (await describeServerGroup(cloud, id))?.backends ?? [];
    const own = backends.filter(({ description }) => sameOwner(description, owner));
    if (own.length < backends.length) {
        await removeBackends(cloud, id, own);
    } else {
        await deleteServerGroup(cloud, id);
    }
}
