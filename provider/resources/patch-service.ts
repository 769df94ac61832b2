/** Writes to one Service: merge patches that hold against other clients, and the removal of a remnant. */
import { type ClusterReader, ClusterError, type ServiceObject } from "../cluster";
import { STACK_ANNOTATION } from "../service/controller";
import { isOwnClass } from "../schema/load-balancer-type";

export interface ServiceKey {
    readonly namespace: string;
    readonly name: string;
    /** `metadata.uid`; a recreated Service is another one. */
    readonly uid: string;
}

export interface Patch {
    readonly metadata?: object;
    readonly spec?: object;
}

const TRIES = 5;

/**
 * Patches a Service, or does not write if there is no patch; tries again after a conflict.
 *
 * @returns false if the Service does not exist.
 */
export async function patchService(
    cluster: ClusterReader,
    { namespace, name, uid }: ServiceKey,
    patchOf: (service: ServiceObject) => Patch | undefined,
): Promise<boolean> {
    for (let tries = 1; ; tries++) {
        const service = await cluster.getService(namespace, name);
        if (service === undefined || service.metadata.uid !== uid) return false;
        const patch = patchOf(service);
        if (patch === undefined) return true;
        const metadata = { ...patch.metadata, resourceVersion: service.metadata.resourceVersion };
        try {
            await cluster.patchService(namespace, name, { ...patch, metadata });
            return true;
        } catch (error) {
            if (!(error instanceof ClusterError && error.kind === "conflict") || tries >= TRIES) throw error;
        }
    }
}

/** Returns a merge patch that removes these keys. */
export function absent(keys: readonly string[]): Record<string, null> {
    return Object.fromEntries(keys.map((key) => [key, null]));
}

/** Service that is about to be created. */
export interface ServiceIdentity extends Omit<ServiceKey, "uid"> {
    /** `project/stack` that is about to create it. */
    readonly stack: string;
}

/**
 * Removes the Service that an interrupted run of the same stack left behind. It has the stack's mark, a managed class
 * and no address.
 *
 * @throws Error if there is another Service of this name: it may serve traffic.
 */
export async function sweepService(cluster: ClusterReader, { namespace, name, stack }: ServiceIdentity): Promise<void> {
    const found = await cluster.getService(namespace, name);
    if (found === undefined) return;
    const { metadata, spec, status } = found;
    const managed = metadata.annotations?.[STACK_ANNOTATION] === stack && isOwnClass(spec?.loadBalancerClass);
    const serves = (status?.loadBalancer?.ingress ?? []).length > 0;
    if (!managed || serves || metadata.uid === undefined)
        throw new Error(
            `Service ${namespace}/${name} is in the cluster already and is not in this stack. ` +
                "Cause: " +
                (managed
                    ? "the stack's state was lost, and the Service has an address"
                    : "another tool or user has applied it") +
                ". " +
                "Remedy: let this stack only follow it (follow: true, or ServiceLoadBalancer.forExisting), take it " +
                "into the state with pulumi import, or delete it if nothing needs it.",
        );
    await cluster.deleteService(namespace, name, metadata.uid);
}
