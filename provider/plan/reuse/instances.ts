/** Instances that Services reuse: access, and what a run reads of them. */
import { managed } from "../../backends/diff";
import { deleteListener, listListeners } from "../../clb/listener";
import {
    describeLoadBalancer,
    findLoadBalancersByName,
    findLoadBalancersByTag,
    setAttributes,
} from "../../clb/load-balancer";
import { listTags, removeTags, setTags } from "../../clb/tags";
import { deleteServerGroup, describeServerGroup, describeServerGroups, removeBackends } from "../../clb/server-group";
import type { Tags } from "../../cloud/http/answer";
import type { Cloud } from "../../cloud/http/cloud";
import { type Clock, systemClock } from "../../net/clock";
import * as nlb from "../../nlb";
import type { Backend } from "../../schema/backend";
import { defined } from "../../schema/defined";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { OWNER_TAG } from "../../schema/names";
import type { ObservedListener } from "../../schema/observed";
import { clbProtocol } from "../../schema/protocols";
import type { ObservedServerGroup } from "../../schema/server-group";
import type { ReusedAttributes, ReuseRequest } from "../../service/reuse";
import type { ObservedInstance, ObservedLoadBalancer } from "../observed";
import { replacedListeners } from "./ownership";

/** Access to the load balancers of a type, for the reuse of user-managed instances. */
export interface InstanceApi {
    readonly type: LoadBalancerType;
    /** Undefined if there is no such instance. Tags are absent if they cost another call. */
    describe(id: string): Promise<ObservedInstance | undefined>;
    /** Returns the instances with a mark as CCM finds them: by the ownership tag, then by the name (the mark). */
    findMarked(mark: string, name?: string): Promise<readonly ObservedInstance[]>;
    /** Waits until an instance that is being created can be changed. */
    awaitReady(found: ObservedInstance): Promise<void>;
    /** Sets the given attributes, and leaves others. */
    setAttributes(id: string, attributes: ReusedAttributes): Promise<void>;
    listTags(id: string): Promise<Tags>;
    setTags(id: string, tags: Tags): Promise<void>;
    removeTags(id: string, keys: readonly string[]): Promise<void>;
    /** Undefined if there is no such instance. */
    listListeners(id: string): Promise<ObservedListener[] | undefined>;
    deleteListener(id: string, listener: ObservedListener): Promise<void>;
    /**
     * Server groups without their backends: all for a CLB, and those of `ids` for an NLB, whose groups belong to the
     * VPC.
     */
    listGroups(id: string, ids: readonly string[]): Promise<ObservedServerGroup[]>;
    /** Backends of a group, by backend key. */
    listBackends(groupId: string): Promise<readonly Backend[]>;
    /** Removes an owner's group. Absent for an NLB, whose groups are resources. */
    dropGroup?(groupId: string, owner: string): Promise<void>;
}

export const instancesOf = (cloud: Cloud, type: LoadBalancerType = "clb"): InstanceApi =>
    type === "nlb" ? nlbInstances(cloud) : clbInstances(cloud);

export const clbInstances = (cloud: Cloud): InstanceApi => ({
    type: "clb",
    describe: async (id) => {
        const found = await describeLoadBalancer(cloud, id);
        // The answer for a single instance has none of its tags.
        return found && { ...found, tags: undefined };
    },
    findMarked: async (mark, name = mark) => {
        const tagged = await findLoadBalancersByTag(cloud, { [OWNER_TAG]: mark });
        return tagged.length > 0 ? tagged : findLoadBalancersByName(cloud, name);
    },
    awaitReady: () => Promise.resolve(),
    setAttributes: (id, attributes) => setAttributes(cloud, id, attributes),
    listTags: (id) => listTags(cloud, id),
    setTags: (id, tags) => setTags(cloud, id, tags),
    removeTags: (id, keys) => removeTags(cloud, id, keys),
    listListeners: (id) => listListeners(cloud, id),
    deleteListener: (loadBalancerId, { protocol, port }) =>
        deleteListener(cloud, { loadBalancerId, protocol: clbProtocol(protocol), port }),
    listGroups: (id) => describeServerGroups(cloud, id),
    listBackends: async (groupId) => (await describeServerGroup(cloud, groupId))?.backends ?? [],
    dropGroup: (groupId, owner) => dropGroup(cloud, groupId, owner),
});

/** A group with user-managed backends stays, and keeps those. */
async function dropGroup(cloud: Cloud, id: string, owner: string): Promise<void> {
    const backends = (await describeServerGroup(cloud, id))?.backends ?? [];
    const own = managed(backends, owner);
    await (own.length < backends.length ? removeBackends(cloud, id, own) : deleteServerGroup(cloud, id));
}

export const nlbInstances = (cloud: Cloud): InstanceApi => ({
    type: "nlb",
    describe: (id) => nlb.getNlbLoadBalancer(cloud, id),
    findMarked: async (mark, name = mark) => {
        const tagged = await nlb.findNlbLoadBalancers(cloud, { tags: { [OWNER_TAG]: mark } });
        return tagged.length > 0 ? tagged : nlb.findNlbLoadBalancers(cloud, { name });
    },
    awaitReady: (found) => awaitReady(cloud, found),
    setAttributes: (id, attributes) => nlb.setNlbAttributes(cloud, id, attributes),
    listTags: async (id) => (await nlb.getNlbLoadBalancer(cloud, id))?.tags ?? {},
    setTags: (id, tags) => nlb.setNlbTags(cloud, id, tags),
    removeTags: (id, keys) => nlb.removeNlbTags(cloud, "loadbalancer", [id], keys),
    listListeners: async (id) => {
        const listeners = await nlb.listNlbListeners(cloud, id);
        // The list of an instance that does not exist is empty, too.
        if (listeners.length === 0 && (await nlb.getNlbLoadBalancer(cloud, id)) === undefined) return undefined;
        return listeners.map(({ id, protocol, port, description, endPort, serverGroupId }) =>
            defined({ id, protocol, port, description, endPort, serverGroupId }),
        );
    },
    deleteListener: async (_, { id }) => (id === undefined ? undefined : nlb.deleteNlbListener(cloud, id)),
    listGroups: async (_, ids) => {
        const groups = await nlb.findServerGroupsById(cloud, ids);
        return groups.map(({ id, name, type, protocol, vpcId, anyPort }) =>
            defined({ id, name, type, protocol, vpcId, anyPort }),
        );
    },
    listBackends: async (groupId) => (await nlb.listServers(cloud, groupId)) ?? [],
});

/** Wait for an instance that is being created: two minutes, as in CCM. */
const POLLING = { times: 24, apartMs: 5_000 };

/** Waits while the cloud takes no change of an instance. @throws Error after two minutes. */
export async function awaitReady(
    cloud: Cloud,
    { id, status }: Pick<ObservedInstance, "id" | "status">,
    clock: Clock = systemClock,
): Promise<void> {
    let now = status;
    for (let reads = 0; /^(provisioning|configuring)$/.test(now ?? ""); reads++) {
        if (reads >= POLLING.times)
            throw new Error(
                `load balancer ${id} is still ${now} after two minutes, and nothing of it can be changed meanwhile. ` +
                    "Remedy: run pulumi up again once it is active.",
            );
        await clock.sleep(POLLING.apartMs);
        now = (await nlb.getNlbLoadBalancer(cloud, id))?.status;
    }
}

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

/**
 * Reads the backends of the groups that a Service joins, and of those of listeners that it replaces, with a call each.
 */
export async function observeGroups(
    request: ReuseRequest,
    instance: ObservedLoadBalancer,
    api: Pick<InstanceApi, "listGroups" | "listBackends">,
): Promise<ObservedLoadBalancer> {
    const joined = new Set(request.joinedGroups.map(({ vgroupId }) => vgroupId));
    const replaced = replacedListeners(request, instance).flatMap(({ group }) => group?.id ?? []);
    const relevant = new Set([...joined, ...replaced]);
    // Groups of an NLB that no listener uses are not part of it.
    const missing = [...joined].filter((id) => !instance.serverGroups.some((group) => group.id === id)).sort();
    const more =
        request.loadBalancerType !== "nlb" || missing.length === 0 ? [] : await api.listGroups(instance.id, missing);
    const serverGroups = await Promise.all(
        [...instance.serverGroups, ...more].map(async (group) =>
            relevant.has(group.id) ? { ...group, backends: await api.listBackends(group.id) } : group,
        ),
    );
    return { ...instance, serverGroups };
}
