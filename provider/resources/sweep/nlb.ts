/**
 * Removes the remnants of an interrupted creation of an NLB, just before it is repeated.
 *
 * NLB objects get their tags with their creation, so the ownership tag identifies them. Refuses to touch what may carry
 * traffic.
 */
import { type Cloud, ignoreCodes, type Tags } from "../../cloud";
import * as nlb from "../../nlb";
import { CLUSTER_TAG, OWNER_TAG, sameOwner } from "../../schema/names";
import type { ObservedListener } from "../../schema/observed";
import { listenerName, sharePort } from "../../schema/listener-address";
import { instanceInUse, type NewInstance, notAnnounced } from "./clb";

/**
 * Removes instances of this name with the owner's tag and without listeners.
 *
 * @throws Error if a tagged instance has a listener.
 */
export async function nlbLoadBalancer(cloud: Cloud, { name, owner }: NewInstance): Promise<void> {
    for (const found of await nlb.findNlbLoadBalancers(cloud, { name })) {
        if (found.tags[OWNER_TAG] !== owner) continue;
        const listeners = await nlb.listNlbListeners(cloud, found.id);
        if (listeners.length > 0) throw instanceInUse(found.id, name, listeners.map(listenerName));
        if (found.deleteProtection && found.status !== CREATE_FAILED)
            await nlb.setProtection(cloud, found.id, { deletion: false });
        await nlb.deleteNlbLoadBalancer(cloud, found.id);
    }
}

/** Status of an instance that can only be deleted. Source: "Overview of NLB instances", instance status. */
const CREATE_FAILED = "CreateFailed";

/**
 * Deletes a managed instance whose creation failed in the cloud, after a run recorded it. Others stay.
 *
 * @param isManaged true if the tags of the instance are those of its owner
 * @returns a message with a remedy; undefined if nothing was deleted
 */
export async function failedNlb(
    cloud: Cloud,
    id: string,
    isManaged: (tags: Tags) => boolean,
): Promise<string | undefined> {
    const found = await nlb.getNlbLoadBalancer(cloud, id);
    if (found?.status !== CREATE_FAILED || !isManaged(found.tags)) return undefined;
    if ((await nlb.listNlbListeners(cloud, id)).length > 0) return undefined;
    await nlb.deleteNlbLoadBalancer(cloud, id);
    return (
        `the cloud could not make load balancer ${id}: its status was ${CREATE_FAILED}, in which it takes no call ` +
        "but its deletion. It had no listener and has been deleted. Remedy: run pulumi up --refresh, which makes a " +
        "new one."
    );
}

/**
 * Removes server groups of this name and owner that no listener uses. A used one may be that of a listener in
 * replacement.
 */
export async function nlbServerGroup(cloud: Cloud, name: string, owner: string, clusterId: string): Promise<void> {
    const tags = { [OWNER_TAG]: owner, [CLUSTER_TAG]: clusterId };
    for (const { id, loadBalancerIds } of await nlb.findServerGroups(cloud, { names: [name], tags }))
        if (loadBalancerIds.length === 0) await deleteUnused(cloud, id);
}

/** Ignores the refusal to delete a group that a listener uses. Source: NLB API, DeleteServerGroup. */
const deleteUnused = (cloud: Cloud, id: string): Promise<void> =>
    ignoreCodes(["ResourceInUse.ServerGroup"], nlb.deleteNlbServerGroup(cloud, id));

/**
 * Removes a half-made listener of the Service, and announced user-managed ones on its ports.
 *
 * Also removes a former server group of the Service behind it. After a restored older state nothing else would find it.
 *
 * @param announced listeners of the instance that the preview announced.
 * @throws Error before anything is removed, if a listener there is user-managed and was not announced.
 */
export async function nlbListener(
    cloud: Cloud,
    loadBalancerId: string,
    desired: ObservedListener,
    announced: readonly ObservedListener[] = [],
): Promise<void> {
    const atPort = (await nlb.listNlbListeners(cloud, loadBalancerId)).filter((one) => sharePort(one, desired));
    const isManaged = ({ description }: ObservedListener): boolean => sameOwner(description, desired.description);
    const isAnnounced = ({ id, description }: ObservedListener): boolean =>
        announced.some((one) => one.id === id && one.description === description);
    const surprising = atPort.find((one) => !isManaged(one) && !isAnnounced(one));
    if (surprising !== undefined) throw notAnnounced(listenerName(surprising), loadBalancerId, surprising.description);
    for (const one of atPort) {
        // One of the Service on other ports that overlap may serve until the engine deletes it.
        if (isManaged(one) && listenerName(one) !== listenerName(desired)) continue;
        await nlb.deleteNlbListener(cloud, one.id);
        const former = one.serverGroupId ?? "";
        if (!isManaged(one) || former === "" || former === desired.serverGroupId) continue;
        const [group] = await nlb.findServerGroupsById(cloud, [former]);
        if (sameOwner(group?.name, desired.description)) await deleteUnused(cloud, former);
    }
}
