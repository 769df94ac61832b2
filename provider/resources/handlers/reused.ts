/**
 * Part of a user-managed instance that a Service uses: the attributes and tags that the Service sets.
 *
 * The alicloud plugin would own the instance: it would delete it with the stack, and set all other attributes.
 */
import { isDeepStrictEqual } from "node:util";
import { ignoreNotFound, type Tags } from "../../cloud";
import { type FormerTags, formerValues, onlyRequested } from "../../plan/reuse/changes";
import { type InstanceApi, instancesOf } from "../../plan/reuse/instances";
import { termsFor } from "../../plan/reuse/ownership";
import { filtered } from "../../schema/defined";
import { listenerName } from "../../schema/listener-address";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { clusterUidTag, isOwnershipKey, REUSED_TAG, sameCluster, sameOwner } from "../../schema/names";
import type { ObservedListener } from "../../schema/observed";
import type { ReusedAttributes } from "../../service/reuse";
import { managing, openPlace, type Place } from "./handler";

interface ReusedInputs extends Place {
    readonly loadBalancerId: string;
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** Address of the instance, or its DNS name, which never changes. */
    readonly address: string;
    /** Any ownership key of the Service. Objects with it are removed with the Service. */
    readonly owner: string;
    /** Attributes of the instance that the Service sets. */
    readonly attributes: ReusedAttributes;
    /** Tags that the Service sets. Others stay. */
    readonly tags: Readonly<Record<string, string>>;
    /** Tags before an earlier run set them, if recorded. Default: as observed when they are set. */
    readonly recordedTags?: FormerTags;
}

interface ReusedComputed {
    readonly former: Tags;
}

const { create, update, read, remove } = managing<ReusedInputs, ReusedComputed>(
    {
        /** Sets the difference, once the instance can be changed. */
        create: async (inputs) => {
            const api = connect(inputs);
            const { loadBalancerId: id, attributes, tags, recordedTags } = inputs;
            await setAttributes(api, id, attributes);
            return { id, former: await updateTags(api, id, {}, tags, {}, recordedTags) };
        },
        /** Sets changed attributes. Those that are no longer set stay, and tags go back to their former values. */
        update: async (olds, news) => {
            const api = connect(news);
            const { loadBalancerId: id, tags, recordedTags } = news;
            const specified = changed(olds.attributes, news.attributes);
            if (Object.keys(specified).length > 0) await setAttributes(api, id, specified);
            return { former: await updateTags(api, id, olds.tags, tags, olds.former, recordedTags) };
        },
        read: async (props) => {
            const api = connect(props);
            const found = await api.describe(props.loadBalancerId);
            if (found === undefined) return undefined;
            const actual = found.tags ?? (await api.listTags(props.loadBalancerId));
            const tags = Object.entries(actual).filter(([key]) => key in props.tags);
            return { attributes: onlyRequested(props.attributes, found), tags: Object.fromEntries(tags) };
        },
        /** Removes the Service's listeners, groups and tags from the instance, which stays. */
        delete: (props) => detachService(connect(props), props),
    },
    ["former"],
);
export { create, update, read, remove as delete };

/** Reads first: an attribute may have its value already. */
async function setAttributes(api: InstanceApi, id: string, attributes: ReusedAttributes): Promise<void> {
    const actual = await api.describe(id);
    if (actual === undefined)
        throw new Error(
            `there is no load balancer ${id}, so the Service cannot use it. Remedy: correct ` +
                "alibaba-cloud-loadbalancer-id, or create the instance.",
        );
    await api.awaitReady(actual);
    await api.setAttributes(id, changed(onlyRequested(attributes, actual), attributes));
}

function changed(before: ReusedAttributes, after: ReusedAttributes): ReusedAttributes {
    const isChanged = ([name, value]: [string, unknown]): boolean =>
        !isDeepStrictEqual(before[name as keyof ReusedAttributes], value);
    return Object.fromEntries(Object.entries(after).filter(isChanged));
}

const connect = (inputs: ReusedInputs): InstanceApi => instancesOf(openPlace(inputs), inputs.loadBalancerType);

/**
 * Changes the tags of the instance from those that the Service has set to those that it sets now. Other tags stay, and
 * a removed tag gets its former value back.
 *
 * @param former tags before they were set. A tag that did not exist is absent.
 * @param recorded tags before an interrupted run set them. Default: as observed.
 * @returns former values of the tags.
 */
export async function updateTags(
    api: InstanceApi,
    id: string,
    before: Tags,
    after: Tags,
    former: Tags,
    recorded: FormerTags = {},
): Promise<Tags> {
    const added = Object.entries(after).filter(([key, value]) => before[key] !== value);
    const dropped = Object.keys(before).filter((key) => !(key in after));
    const fresh = added.filter(([key]) => !(key in before)).map(([key]) => key);
    const actual = fresh.length === 0 ? {} : await api.listTags(id);
    await api.setTags(id, Object.fromEntries(added.filter(([key, value]) => actual[key] !== value)));
    await restoreTags(api, id, dropped, former);
    // Shared tags have no former value: the last Service removes them.
    return {
        ...filtered(former, (key) => key in after),
        ...filtered(actual, (key) => fresh.includes(key) && !(key in recorded) && !isSharedTag(key)),
        ...filtered(formerValues(recorded), (key) => fresh.includes(key)),
    };
}

/** True for tags of all Services on the instance. */
const isSharedTag = (key: string): boolean => key === REUSED_TAG || key.startsWith(clusterUidTag(""));

/** Removes tags, or gives them back their former values. */
async function restoreTags(api: InstanceApi, id: string, keys: readonly string[], former: Tags): Promise<void> {
    const restored = filtered(former, (key) => keys.includes(key));
    await api.setTags(id, restored);
    const removed = keys.filter((key) => !(key in former));
    await api.removeTags(id, removed);
}

type DetachedField = "loadBalancerId" | "owner" | "tags" | "former";

/**
 * Removes listeners, vServer groups and tags of a Service from an instance that stays. User-managed objects stay, and
 * so does a vServer group with user-managed backends. Server groups of an NLB are deleted later, as resources.
 *
 * @throws Error before anything is removed, if a user-managed listener sends to a group of the Service.
 */
export async function detachService(
    api: InstanceApi,
    { loadBalancerId, owner, tags, former }: Pick<ReusedInputs & ReusedComputed, DetachedField>,
): Promise<void> {
    const found = await observe(api, loadBalancerId, owner);
    if (found === undefined) return;
    const ownGroups = found.groups.filter(({ name }) => sameOwner(name, owner));
    const { group: noun } = termsFor({ loadBalancerType: api.type });
    const users = found.userManaged.flatMap((listener) => {
        const group = ownGroups.find(({ id }) => id === listener.serverGroupId);
        const name = `listener ${listenerName(listener)} (description "${listener.description}")`;
        return group === undefined ? [] : [`${name} sends to ${noun} "${group.name}"`];
    });
    if (users.length > 0)
        throw new Error(
            `the Service cannot leave load balancer ${loadBalancerId}, and nothing was removed: ${users.join("; ")}. ` +
                "Cause: these listeners are not the Service's, and the cloud deletes no group that is used. Remedy: " +
                "point them to another group or delete them, then run again.",
        );
    // A listener that redirects is deleted before its target.
    const isTarget = ({ forwardPort }: ObservedListener): number => Number(forwardPort === undefined);
    for (const listener of found.own.toSorted((a, b) => isTarget(a) - isTarget(b)))
        await api.deleteListener(loadBalancerId, listener);
    for (const { id } of ownGroups) await api.dropGroup?.(id, owner);
    const others = Object.keys(tags).some(isSharedTag) ? await othersLeft(api, loadBalancerId, owner, found) : [];
    const ofCluster = others.some((mark) => sameCluster(mark, owner));
    const stays = (key: string) => (key === REUSED_TAG ? others.length > 0 : isSharedTag(key) && ofCluster);
    const removed = Object.keys(tags).filter((key) => !stays(key));
    await restoreTags(api, loadBalancerId, removed, former);
}

/** Instance on which a Service has listeners, groups or tags, and which stays without the Service. */
export interface UsedInstance {
    readonly loadBalancerId: string;
    /** Any ownership key of the Service, by which its listeners and groups are found. */
    readonly key: string;
    /** Tags that the Service sets on a user-managed instance. Default: it is an instance of the program. */
    readonly tags?: Tags;
    /** Tags before the Service set them. Default: none of them existed. */
    readonly recordedTags?: FormerTags;
}

/**
 * Removes what the Service has on an instance that stays. What the state knows of a user-managed instance is removed
 * before: only tags can be left, of a run that was killed while it set the first of them.
 */
export async function leaveInstance(
    api: InstanceApi,
    { loadBalancerId, key: owner, tags, recordedTags = {} }: UsedInstance,
): Promise<void> {
    if (tags === undefined) return detachService(api, { loadBalancerId, owner, tags: {}, former: {} });
    const actual = (await ignoreNotFound("loadBalancer", api.listTags(loadBalancerId))) ?? {};
    const former = formerValues(recordedTags);
    const left = filtered(tags, (name) => actual[name] === tags[name] && former[name] !== tags[name]);
    if (Object.keys(left).length > 0) await detachService(api, { loadBalancerId, owner, tags: left, former });
}

/**
 * Returns the marks of other Services that are still there: of listeners and groups, else of backends in user-managed
 * groups. The last Service removes the shared tags.
 */
async function othersLeft(
    api: InstanceApi,
    loadBalancerId: string,
    owner: string,
    before: Observed,
): Promise<string[]> {
    // Other Services may have left meanwhile, and seen this Service.
    const found = before.others.length > 0 ? await observe(api, loadBalancerId, owner) : before;
    if (found === undefined || found.others.length > 0) return found?.others ?? [];
    const userManaged = found.groups.filter(({ name }) => !isOwnershipKey(name));
    const backends = await Promise.all(userManaged.map(({ id }) => api.listBackends(id)));
    return ofOthers(
        backends.flat().map(({ mark }) => mark),
        owner,
    );
}

const ofOthers = (marks: readonly (string | undefined)[], owner: string): string[] =>
    marks.flatMap((mark) => (mark !== undefined && isOwnershipKey(mark) && !sameOwner(mark, owner) ? [mark] : []));

type Observed = NonNullable<Awaited<ReturnType<typeof observe>>>;

/** Reads the listeners with their groups: all groups for a CLB, and those of the user-managed listeners for an NLB. */
async function observe(api: InstanceApi, loadBalancerId: string, owner: string) {
    const listeners = await api.listListeners(loadBalancerId);
    if (listeners === undefined) return undefined;
    const own = listeners.filter(({ description }) => sameOwner(description, owner));
    const userManaged = listeners.filter((listener) => !own.includes(listener));
    const groupIds = userManaged.flatMap(({ serverGroupId }) => serverGroupId ?? []);
    // The list of listeners is empty for a CLB that does not exist.
    const groups = await ignoreNotFound("loadBalancer", api.listGroups(loadBalancerId, groupIds));
    if (groups === undefined) return undefined;
    const marks = [...groups.map(({ name }) => name), ...userManaged.map(({ description }) => description)];
    return { own, userManaged, groups, others: ofOthers(marks, owner) };
}
