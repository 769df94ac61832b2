/**
 * Removes what an interrupted create left behind, just before the create is repeated.
 *
 * Everything here is found by a name that only this Service of this cluster has, and nothing that may carry traffic is touched: then it refuses, and says what to do.
 */
import {
    type Cloud,
    CloudError,
    deleteAcl,
    deleteDomainExtension,
    deleteListener,
    deleteLoadBalancer,
    deleteServerGroup,
    describeDomainExtensions,
    describeListener,
    describeLoadBalancer,
    describeServerGroup,
    describeServerGroups,
    findAclsByName,
    findLoadBalancersByName,
    listTags,
    setDeleteProtection,
    setTags,
    startListener,
    type Tags,
} from "../../alicloud";
import type { ListenerAddress, ObservedListener } from "../../model/observed";
import { markedProtectionReason, OWNER_TAG, sameOwner } from "../../model/names";
import { type Clock, systemClock } from "../../net";
import { sharePort } from "../../plan";
import { clbProtocol, type ClbProtocol } from "../../schema/protocols";

/** An instance that is about to be created. */
export interface InstanceIdentity {
    readonly name: string;
    /** Value of the ownership tag: derived from the Service's UID, so no other Service has it. */
    readonly owner: string;
    /** Addresses of instances that are about to be replaced: they serve until the new one is there. Default none. */
    readonly replaced?: ReadonlySet<string>;
}

/**
 * Removes our own half-made instances: those of this name that bear a mark of this very Service and have no listener.
 *
 * Tags come after the create, so the mark is the name itself where it is derived from the UID, the reason of the modification protection, or the tag.
 * An instance that merely has the same name is user-managed and left alone.
 *
 * @throws Error if one of ours has a listener: it may carry traffic.
 */
export async function loadBalancer(cloud: Cloud, identity: InstanceIdentity): Promise<void> {
    const { name, owner, replaced } = identity;
    for (const found of await findLoadBalancersByName(cloud, name)) {
        const instance = await describeLoadBalancer(cloud, found.id);
        const ours =
            name === owner ||
            found.tags?.[OWNER_TAG] === owner ||
            instance?.modificationProtectionReason === markedProtectionReason(owner);
        if (instance === undefined || !ours || replaced?.has(instance.address ?? "")) {
            continue;
        }
        const ports = (instance.listeners ?? []).map((listener) => `${listener.protocol}:${listener.port}`);
        if (ports.length > 0) {
            throw new Error(
                `load balancer ${instance.id} has the name ${name} already and listens on ${ports.join(", ")}. Cause: it was made outside this stack, or the stack's state was lost. ` +
                    "Remedy: take it into the state with pulumi import, give the Service another name for its load balancer, or delete the instance if nothing uses it.",
            );
        }
        if (instance.deleteProtection === "on") {
            await setDeleteProtection(cloud, instance.id, "off");
        }
        await deleteLoadBalancer(cloud, instance.id);
    }
}

/** What the cloud answers when a group that a listener uses is to be deleted. Source: CLB API, DeleteVServerGroup. */
const GROUP_IN_USE = ["RspoolVipExist", "RspoolRuleExist"];

/**
 * Removes vServer groups of this name, on this instance, that no listener uses.
 *
 * One that is used is no remnant: a TCP and a UDP port may have one nodePort and so one name, and a port whose protocol changes keeps its nodePort.
 */
export async function serverGroup(cloud: Cloud, loadBalancerId: string, name: string): Promise<void> {
    for (const group of await describeServerGroups(cloud, loadBalancerId)) {
        if (group.name === name) {
            await deleteServerGroup(cloud, group.id).catch(unlessInUse);
        }
    }
}

function unlessInUse(error: unknown): void {
    if (!(error instanceof CloudError && GROUP_IN_USE.includes(error.code))) {
        throw error;
    }
}

/** Removes access control lists of this name, which only this Service has, that no listener uses; the cloud refuses the others. */
export async function acl(cloud: Cloud, name: string): Promise<void> {
    for (const id of await findAclsByName(cloud, name)) {
        await deleteAcl(cloud, id);
    }
}

/** A listener that is about to be created. */
export interface ListenerIdentity {
    readonly port: number;
    readonly protocol: ClbProtocol;
    readonly description: string;
    /** The vServer group that it sends to; absent where it redirects. */
    readonly serverGroupId?: string;
}

/** How often, and how many milliseconds apart, a listener that serves is looked at before it counts as a remnant: 20 seconds. */
const POLLING = { times: 20, apartMs: 1000 };

/**
 * Removes our own half-made listener, and a user-managed one if the preview has announced that it will be replaced.
 *
 * One of ours that runs may be about to be deleted by this very run: the engine deletes a redirecting listener together with its target, while the listener that no longer
 * redirects is created beside that. It is given time to go; deleted here, its successor would be what the engine deletes.
 *
 * With ours goes the vServer group that it has sent to, where that is another one of the Service: after a restored older state both are there again under their names, and nobody
 * else would find the former group.
 *
 * @param announced listeners that stood on the instance when the program looked.
 * @throws Error if the listener there is user-managed and was not announced as it is.
 */
export async function listener(
    cloud: Cloud,
    loadBalancerId: string,
    identity: ListenerIdentity,
    announced: readonly ObservedListener[] = [],
    clock: Clock = systemClock,
): Promise<void> {
    const atPort = announced.find((one) => sharePort(one, identity));
    const standing = atPort ?? (await listenerAt(cloud, loadBalancerId, identity));
    if (standing === undefined) return;
    const protocol = clbProtocol(standing.protocol);
    const found = await describeListener(cloud, loadBalancerId, protocol, identity.port);
    if (found === undefined) return;
    const description = String(found["Description"] ?? "");
    const ours = sameOwner(description, identity.description);
    if (!ours && atPort?.description !== description) {
        throw new Error(
            `listener ${protocol}:${identity.port} of ${loadBalancerId} exists and is not this Service's (its description is "${description}"). ` +
                "Remedy: remove it, or use another port; a user-managed listener is replaced only where the preview has said so.",
        );
    }
    if (
        ours &&
        found["Status"] === "running" &&
        (await isDeleted(cloud, loadBalancerId, { ...identity, protocol }, clock))
    ) {
        return;
    }
    await deleteListener(cloud, loadBalancerId, protocol, identity.port);
    const former = String(found["VServerGroupId"] ?? "");
    if (!ours || former === "" || former === identity.serverGroupId) {
        return;
    }
    if (sameOwner((await describeServerGroup(cloud, former))?.name, identity.description)) {
        await deleteServerGroup(cloud, former).catch(unlessInUse);
    }
}

/** The listener on this port of the instance, whatever its protocol: TCP, HTTP and HTTPS listeners exclude each other. */
async function listenerAt(
    cloud: Cloud,
    loadBalancerId: string,
    identity: ListenerIdentity,
): Promise<ListenerAddress | undefined> {
    const instance = await describeLoadBalancer(cloud, loadBalancerId);
    return instance?.listeners?.find((one) => sharePort(one, identity));
}

/** Waits for a listener to be deleted by another client. */
async function isDeleted(
    cloud: Cloud,
    loadBalancerId: string,
    { protocol, port }: ListenerIdentity,
    clock: Clock,
): Promise<boolean> {
    for (let look = 0; look < POLLING.times; look++) {
        await clock.sleep(POLLING.apartMs);
        if ((await describeListener(cloud, loadBalancerId, protocol, port)) === undefined) {
            return true;
        }
    }
    return false;
}

/** A domain of an HTTPS listener that is about to be created. */
export interface DomainIdentity {
    readonly port: number;
    readonly domain: string;
    readonly certId: string;
}

/**
 * Removes a domain with this certificate from our listener: an interrupted create left it behind.
 *
 * @throws Error if the domain has another certificate: it is user-managed.
 */
export async function domainExtension(
    cloud: Cloud,
    loadBalancerId: string,
    { port, domain, certId }: DomainIdentity,
): Promise<void> {
    const found = (await describeDomainExtensions(cloud, loadBalancerId, port)).find((one) => one.domain === domain);
    if (found === undefined) return;
    if (found.certId !== certId) {
        throw new Error(
            `listener https:${port} of ${loadBalancerId} has the domain ${domain} already, with certificate ${found.certId}, made outside this stack. ` +
                "Remedy: delete it in the console, or remove the domain from the annotation.",
        );
    }
    await deleteDomainExtension(cloud, found.id);
}

/**
 * Gives our instance those of its tags that it lacks.
 *
 * The alicloud plugin tags an instance once, after it has created it and has seen it run. Where that fails, it sees no difference later, and the instance would lack its mark.
 */
export async function ensureTagged(cloud: Cloud, id: string, tags: Tags): Promise<void> {
    const there = await listTags(cloud, id);
    const missing = Object.entries(tags).filter(([key, value]) => there[key] !== value);
    if (missing.length > 0) {
        await setTags(cloud, id, Object.fromEntries(missing));
    }
}

/**
 * Starts our listener if it is stopped.
 *
 * The alicloud plugin starts a listener once, after it has created it. Where that fails, it sees no difference later.
 */
export async function ensureStarted(
    cloud: Cloud,
    loadBalancerId: string,
    identity: Pick<ListenerIdentity, "port" | "protocol">,
): Promise<void> {
    const { protocol, port } = identity;
    const found = await describeListener(cloud, loadBalancerId, protocol, port);
    if (found?.["Status"] === "stopped") {
        await startListener(cloud, loadBalancerId, protocol, port);
    }
}
