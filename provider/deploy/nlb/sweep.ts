/**
 * Removes what an interrupted create of an NLB left behind, just before the create is repeated.
 *
 * NLB objects get their tags in the call that makes them, so that the owner's tag tells ours from others'. Nothing that may carry traffic is touched: then it refuses.
 */
import { type Cloud, CloudError, nlb } from "../../alicloud";
import type { ObservedListener } from "../../model/observed";
import { CLUSTER_TAG, OWNER_TAG, sameOwner } from "../../model/names";
import { listenerName, sharePort } from "../../plan";
import { toObservedListener } from "../../alicloud/instances/nlb";
import type { NlbProtocol } from "../../schema/protocols";
import type { InstanceIdentity } from "../clb/sweep";

/**
 * Removes our own half-made instances: those of this name that bear the owner's tag and have no listener.
 *
 * @throws Error if one of ours has a listener: it may carry traffic.
 */
export async function nlbLoadBalancer(cloud: Cloud, { name, owner }: InstanceIdentity): Promise<void> {
    for (const found of await nlb.findNlbLoadBalancers(cloud, name)) {
        if (found.tags[OWNER_TAG] !== owner) {
            continue;
        }
        const listeners = await nlb.listNlbListeners(cloud, found.id);
        if (listeners.length > 0) {
            const ports = listeners.map(toObservedListener).map(listenerName);
            throw new Error(
                `load balancer ${found.id} has the name ${name} already and listens on ${ports.join(", ")}. Cause: it was made outside this stack, or the stack's state was lost. ` +
                    "Remedy: take it into the state with pulumi import, give the Service another name for its load balancer, or delete the instance if nothing uses it.",
            );
        }
        // Where the creation has failed, the cloud takes no call but the deletion.
        if (found.deleteProtection && found.status !== CREATE_FAILED) {
            await nlb.setProtection(cloud, found.id, { deletion: false });
        }
        await nlb.deleteNlbLoadBalancer(cloud, found.id);
    }
}

/** Status of an instance that the cloud could not make: it can be deleted and not be changed. Source: "Overview of NLB instances", instance status. */
const CREATE_FAILED = "CreateFailed";

/**
 * Deletes an instance of ours whose creation the cloud has given up, which an interrupted or failed run has recorded as made. Any other is left alone.
 *
 * @param isOurs whether the tags of the instance are those of this owner
 * @returns what was done and what to do next; undefined if the instance is gone, was made, or is user-managed
 */
export async function failedNlb(
    cloud: Cloud,
    id: string,
    isOurs: (tags: Readonly<Record<string, string>>) => boolean,
): Promise<string | undefined> {
    const found = await nlb.getNlbLoadBalancer(cloud, id);
    if (found?.status !== CREATE_FAILED || !isOurs(found.tags)) {
        return undefined;
    }
    if ((await nlb.listNlbListeners(cloud, id)).length > 0) {
        return undefined;
    }
    await nlb.deleteNlbLoadBalancer(cloud, id);
    return `the cloud could not make load balancer ${id}: its status was ${CREATE_FAILED}, in which it takes no call but its deletion. It had no listener and has been deleted. Remedy: run pulumi up --refresh, which makes a new one.`;
}

/** What the cloud answers when a group that a listener uses is to be deleted. Source: NLB API, DeleteServerGroup. */
const GROUP_IN_USE = "ResourceInUse.ServerGroup";

/** Removes server groups of this name and owner that no listener uses. One that is used is no remnant: it may be that of a listener that is about to be replaced. */
export async function nlbServerGroup(cloud: Cloud, name: string, owner: string, clusterId: string): Promise<void> {
    const remnants = await nlb.findServerGroups(cloud, {
        names: [name],
        tags: { [OWNER_TAG]: owner, [CLUSTER_TAG]: clusterId },
    });
    for (const group of remnants.filter(({ loadBalancerIds }) => loadBalancerIds.length === 0)) {
        await deleteUnused(cloud, group.id);
    }
}

async function deleteUnused(cloud: Cloud, id: string): Promise<void> {
    await nlb.deleteNlbServerGroup(cloud, id).catch((error: unknown) => {
        if (!(error instanceof CloudError && error.code === GROUP_IN_USE)) {
            throw error;
        }
    });
}

/** A listener that is about to be created. */
export interface NlbListenerIdentity {
    readonly protocol: NlbProtocol;
    /** 0 for a range. */
    readonly port: number;
    readonly startPort?: number;
    readonly endPort?: number;
    readonly description: string;
    /** The server group that it sends to. */
    readonly serverGroupId?: string;
}

/**
 * Removes our own half-made listener, and user-managed ones on its ports if the preview has announced that they will be replaced. With ours goes the server group that it has sent to,
 * where that is another one of the Service, as after a restored older state: nobody else would find it.
 *
 * @param announced listeners that stood on the instance when the program looked.
 * @throws Error before anything is removed, if a listener there is user-managed and was not announced as it is.
 */
export async function nlbListener(
    cloud: Cloud,
    loadBalancerId: string,
    desired: NlbListenerIdentity,
    announced: readonly ObservedListener[] = [],
): Promise<void> {
    const place = toObservedListener({ id: "", ...desired });
    const atPort = (await nlb.listNlbListeners(cloud, loadBalancerId))
        .map(toObservedListener)
        .filter((one) => sharePort(one, place));
    const userManaged = atPort.filter(({ description }) => !sameOwner(description, desired.description));
    const surprising = userManaged.find(
        ({ id, description }) => !announced.some((one) => one.id === id && one.description === description),
    );
    if (surprising !== undefined) {
        throw new Error(
            `listener ${listenerName(surprising)} of ${loadBalancerId} exists and is not this Service's (its description is "${surprising.description}"). ` +
                "Remedy: remove it, or use another port; a user-managed listener is replaced only where the preview has said so.",
        );
    }
    // One of ours that stands elsewhere on these ports may serve until the engine deletes it.
    for (const one of atPort.filter(
        (other) => userManaged.includes(other) || listenerName(other) === listenerName(place),
    )) {
        await nlb.deleteNlbListener(cloud, one.id ?? "");
        const former = one.serverGroupId ?? "";
        if (userManaged.includes(one) || former === "" || former === desired.serverGroupId) {
            continue;
        }
        const [group] = await nlb.findServerGroupsById(cloud, [former]);
        if (sameOwner(group?.name, desired.description)) {
            await deleteUnused(cloud, former);
        }
    }
}
