/**
 * Removes the remnants of an interrupted creation, just before it is repeated.
 *
 * Finds them by names and marks unique to this Service of this cluster. Refuses to touch an object if it may carry
 * traffic.
 */
import { deleteAcl, findAclsByName } from "../clb/acl";
import { deleteDomainExtension, describeDomainExtensions } from "../clb/certificate";
import { type ClbListener, deleteListener, readClbListener, startListener } from "../clb/listener";
import * as clb from "../clb/load-balancer";
import { listTags, setTags } from "../clb/tags";
import { deleteServerGroup, describeServerGroup, describeServerGroups } from "../clb/server-group";
import { type Cloud, ignoreCodes, type Tags } from "../cloud";
import * as ecs from "../cloud/security-group";
import { type Clock, systemClock } from "../net";
import * as nlb from "../nlb";
import { listenerName, sharePort } from "../schema/listener-address";
import { isOwnershipKey, markedProtectionReason, OWNER_TAG, sameOwner } from "../schema/names";
import type { ObservedListener } from "../schema/observed";
import { clbProtocol } from "../schema/protocols";

interface NewInstance {
    readonly name: string;
    /** Value of the ownership tag, derived from the Service's UID. */
    readonly owner: string;
    /**
     * Addresses of the Service, if its instance may be about to be replaced. An instance with such an address, or with
     * listeners, serves until then: a host name hides the address. Default: none is replaced.
     */
    readonly replaced?: readonly string[] | undefined;
}

/**
 * Removes instances of this name with a mark of the Service and without listeners. Other instances of the name stay.
 *
 * Tags are set after the creation, so the mark is a name derived from the UID, the reason of the modification
 * protection, or the tag.
 *
 * @throws Error if a marked instance has a listener, and is not about to be replaced.
 */
export async function clbLoadBalancer(cloud: Cloud, { name, owner, replaced }: NewInstance): Promise<void> {
    for (const found of await clb.findLoadBalancersByName(cloud, name)) {
        const instance = await clb.describeLoadBalancer(cloud, found.id);
        const managed =
            name === owner ||
            found.tags?.[OWNER_TAG] === owner ||
            instance?.modificationProtectionReason === markedProtectionReason(owner);
        if (instance === undefined || !managed) continue;
        const ports = (instance.listeners ?? []).map(({ protocol, port }) => `${protocol}:${port}`);
        if (replaced !== undefined && (ports.length > 0 || replaced.includes(instance.address ?? ""))) continue;
        if (ports.length > 0) throw instanceInUse(instance.id, name, ports);
        if (instance.deleteProtection === "on") await clb.setDeleteProtection(cloud, instance.id, "off");
        await clb.deleteLoadBalancer(cloud, instance.id);
    }
}

const instanceInUse = (id: string, name: string, listeners: readonly string[]): Error =>
    new Error(
        `load balancer ${id} has the name ${name} already and listens on ${listeners.join(", ")}. Cause: it was ` +
            "made outside this stack, or the stack's state was lost. " +
            "Remedy: take it into the state with pulumi import, give the Service another name for its load " +
            "balancer, or delete the instance if nothing uses it.",
    );

const notAnnounced = (listener: string, loadBalancerId: string, description: string): Error =>
    new Error(
        `listener ${listener} of ${loadBalancerId} exists and is not this Service's (its description is ` +
            `"${description}"). Remedy: ` +
            (isOwnershipKey(description)
                ? "use another port, or take this one from the Service of the description in an earlier run."
                : "remove it, or use another port; a user-managed listener is replaced only where the preview has " +
                  "said so."),
    );

/** Refusals to delete a group used by a listener. Source: CLB API, DeleteVServerGroup. */
const GROUP_IN_USE = ["RspoolVipExist", "RspoolRuleExist"];

/**
 * Removes vServer groups of this name, on this instance, unless they have members or a listener uses them.
 *
 * Such a group is no remnant, which nothing has filled yet. A TCP and a UDP port may share a nodePort and name, a port
 * keeps its nodePort when its protocol changes, and a listener that is replaced uses its group only before and after.
 */
export async function clbServerGroup(cloud: Cloud, loadBalancerId: string, name: string): Promise<void> {
    for (const { id } of (await describeServerGroups(cloud, loadBalancerId)).filter((one) => one.name === name)) {
        const members = (await describeServerGroup(cloud, id))?.backends ?? [];
        if (members.length === 0) await ignoreCodes(GROUP_IN_USE, deleteServerGroup(cloud, id));
    }
}

/** Removes access control lists of this name, which only this Service has. The cloud refuses those in use. */
export async function acl(cloud: Cloud, name: string): Promise<void> {
    for (const id of await findAclsByName(cloud, name)) await deleteAcl(cloud, id);
}

/** Wait of 20 seconds for the deletion of a serving listener. */
const POLLING = { times: 20, apartMs: 1000 };

/**
 * Removes a half-made listener of the Service, or an announced user-managed listener.
 *
 * This run may be deleting a running listener of the Service already. The engine deletes a redirecting listener
 * together with its target, while the next listener is being created. Such a listener gets time to go, because if it
 * were deleted here, the engine would delete its successor.
 *
 * Also removes a former vServer group of the Service behind the listener. If an older state was restored, nothing else
 * would find the group.
 *
 * @param announced listeners of the instance announced by the preview.
 * @param isPreview true if nothing may be removed.
 * @throws Error if the listener is user-managed and was not announced.
 */
export async function clbListener(
    cloud: Cloud,
    loadBalancerId: string,
    desired: ObservedListener,
    announced: readonly ObservedListener[] = [],
    clock: Clock = systemClock,
    isPreview = false,
): Promise<void> {
    const { port } = desired;
    const atPort = announced.find((one) => sharePort(one, desired));
    // TCP, HTTP and HTTPS listeners exclude each other on a port.
    const present =
        atPort ??
        (await clb.describeLoadBalancer(cloud, loadBalancerId))?.listeners?.find((one) => sharePort(one, desired));
    if (present === undefined) return;
    const protocol = clbProtocol(present.protocol);
    const id = { loadBalancerId, protocol, port };
    const found = await readClbListener(cloud, id);
    if (found === undefined) return;
    const managed = sameOwner(found.description, desired.description);
    if (!managed && atPort?.description !== found.description)
        throw notAnnounced(listenerName(found), loadBalancerId, found.description);
    if (isPreview) return;
    const isRunning = managed && found.status === "running";
    if (isRunning && (await isDeleted(cloud, id, clock))) return;
    await deleteListener(cloud, id);
    const former = found.serverGroupId;
    if (!managed || former === undefined || former === desired.serverGroupId) return;
    if (sameOwner((await describeServerGroup(cloud, former))?.name, desired.description))
        await ignoreCodes(GROUP_IN_USE, deleteServerGroup(cloud, former));
}

/** Waits for another client to delete a listener. */
async function isDeleted(cloud: Cloud, id: Parameters<typeof readClbListener>[1], clock: Clock): Promise<boolean> {
    for (let reads = 0; reads < POLLING.times; reads++) {
        await clock.sleep(POLLING.apartMs);
        if ((await readClbListener(cloud, id)) === undefined) return true;
    }
    return false;
}

/**
 * Removes a domain with this certificate from a listener of the Service.
 *
 * @throws Error if the domain has another certificate, because then it is user-managed.
 */
export async function domainExtension(
    cloud: Cloud,
    loadBalancerId: string,
    { port, domain, certId }: { readonly port: number; readonly domain: string; readonly certId: string },
): Promise<void> {
    const found = (await describeDomainExtensions(cloud, loadBalancerId, port)).find((one) => one.domain === domain);
    if (found === undefined) return;
    if (found.certId !== certId)
        throw new Error(
            `listener https:${port} of ${loadBalancerId} has the domain ${domain} already, with certificate ` +
                `${found.certId}, made outside this stack. ` +
                "Remedy: delete it in the console, or remove the domain from the annotation.",
        );
    await deleteDomainExtension(cloud, found.id);
}

/** Sets missing tags of an instance. The alicloud plugin sees no difference if it failed to set them. */
export async function ensureTagged(cloud: Cloud, id: string, tags: Tags): Promise<void> {
    const present = await listTags(cloud, id);
    const missing = Object.entries(tags).filter(([key, value]) => present[key] !== value);
    await setTags(cloud, id, Object.fromEntries(missing));
}

/** Starts a stopped listener. The alicloud plugin sees no difference if it failed to start it. */
export async function ensureStarted(
    cloud: Cloud,
    loadBalancerId: string,
    { protocol, port }: Pick<ClbListener, "port" | "protocol">,
): Promise<void> {
    const id = { loadBalancerId, protocol, port };
    if ((await readClbListener(cloud, id))?.status === "stopped") await startListener(cloud, id);
}

/**
 * Removes instances of this name with a mark of the Service and without listeners. The mark is a name derived from the
 * UID, or the tag.
 *
 * @throws Error if a tagged instance has a listener.
 */
export async function nlbLoadBalancer(cloud: Cloud, { name, owner }: NewInstance): Promise<void> {
    for (const found of await nlb.findNlbLoadBalancers(cloud, { name })) {
        if (name !== owner && found.tags[OWNER_TAG] !== owner) continue;
        const listeners = await nlb.listNlbListeners(cloud, found.id);
        if (listeners.length > 0) throw instanceInUse(found.id, name, listeners.map(listenerName));
        if (found.deleteProtection === "on" && found.status !== CREATE_FAILED)
            await nlb.setProtection(cloud, found.id, { deletion: false });
        await nlb.deleteNlbLoadBalancer(cloud, found.id);
    }
}

/** Status in which an instance can only be deleted. Source: "Overview of NLB instances", instance status. */
const CREATE_FAILED = "createfailed";

/**
 * Deletes a managed instance whose creation failed in the cloud, after a run recorded it. Others stay.
 *
 * @param isManaged true if the tags of the instance are those of its owner
 * @returns a message with a remedy, or undefined if nothing was deleted
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
        `the cloud could not make load balancer ${id}: its status was CreateFailed, in which it takes no call ` +
        "but its deletion. It had no listener and has been deleted. Remedy: run pulumi up --refresh, which makes a " +
        "new one."
    );
}

/**
 * Removes server groups with tags of the Service, unless a listener uses them. A used group may belong to a listener in
 * replacement.
 */
export async function nlbServerGroups(
    cloud: Cloud,
    by: { readonly names?: readonly string[]; readonly tags: Tags },
): Promise<void> {
    for (const { id, loadBalancerIds } of await nlb.findServerGroups(cloud, by))
        if (loadBalancerIds.length === 0) await deleteUnused(cloud, id);
}

/** Removes security groups of this name and owner. The cloud refuses those in use. */
export async function securityGroups(cloud: Cloud, { name, owner }: NewInstance): Promise<void> {
    for (const { id, tags } of await ecs.findSecurityGroups(cloud, { name }))
        if (tags[OWNER_TAG] === owner) await ecs.deleteSecurityGroup(cloud, id);
}

/** Ignores the refusal to delete a group used by a listener. Source: NLB API, DeleteServerGroup. */
const deleteUnused = (cloud: Cloud, id: string): Promise<void> =>
    ignoreCodes(["ResourceInUse.ServerGroup"], nlb.deleteNlbServerGroup(cloud, id));

/**
 * Removes a half-made listener of the Service, other listeners of the Service whose ports it takes, and announced
 * user-managed listeners on its ports.
 *
 * Also removes a former server group of the Service behind a listener. If an older state was restored, nothing else
 * would find the group.
 *
 * @param announced listeners of the instance announced by the preview.
 * @param isPreview true if nothing may be removed.
 * @throws Error before anything is removed, if a listener there is user-managed and was not announced.
 */
export async function nlbListener(
    cloud: Cloud,
    loadBalancerId: string,
    desired: ObservedListener,
    announced: readonly ObservedListener[] = [],
    isPreview = false,
): Promise<void> {
    const atPort = (await nlb.listNlbListeners(cloud, loadBalancerId)).filter((one) => sharePort(one, desired));
    const isManaged = ({ description }: ObservedListener): boolean => sameOwner(description, desired.description);
    const isAnnounced = ({ id, description }: ObservedListener): boolean =>
        announced.some((one) => one.id === id && one.description === description);
    const surprising = atPort.find((one) => !isManaged(one) && !isAnnounced(one));
    if (surprising !== undefined) throw notAnnounced(listenerName(surprising), loadBalancerId, surprising.description);
    for (const one of isPreview ? [] : atPort) {
        await nlb.deleteNlbListener(cloud, one.id);
        // The engine deletes other listeners of the Service last, when the ports have changed hands. Their groups may
        // stay.
        if (!isManaged(one) || listenerName(one) !== listenerName(desired)) continue;
        const former = one.serverGroupId ?? "";
        if (former === "" || former === desired.serverGroupId) continue;
        const [group] = await nlb.findServerGroupsById(cloud, [former]);
        if (sameOwner(group?.name, desired.description)) await deleteUnused(cloud, former);
    }
}
