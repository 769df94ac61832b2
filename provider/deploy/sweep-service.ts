import { STACK_ANNOTATION } from "../kubernetes/service/controller";
import type { ClusterReader } from "../kubernetes";
import { isOwnClass } from "../schema/load-balancer-type";

/** A Service that is about to be created. */
export interface ServiceIdentity {
    readonly namespace: string;
    readonly name: string;
    /** `project/stack` that is about to create it. */
    readonly stack: string;
}

/**
 * Removes the Service that an interrupted run of this very stack has left behind, so that it can be created again.
 *
 * Only one that bears the stack's mark and our class, and that has no address yet, can be such a one.
 *
 * @throws Error if a Service of this name is there that is not: it may serve traffic.
 */
export async function sweepService(cluster: ClusterReader, identity: ServiceIdentity): Promise<void> {
    const { namespace, name, stack } = identity;
    const found = await cluster.getService(namespace, name);
    if (found === undefined) {
        return;
    }
    const ours = found.metadata.annotations?.[STACK_ANNOTATION] === stack && isOwnClass(found.spec?.loadBalancerClass);
    const serves = (found.status?.loadBalancer?.ingress ?? []).length > 0;
    if (!ours || serves || found.metadata.uid === undefined) {
        throw new Error(
            `Service ${namespace}/${name} is in the cluster already and is not in this stack. ` +
                `Cause: ${ours ? "the stack's state was lost, and the Service has an address" : "another tool or user has applied it"}. ` +
                "Remedy: let this stack only follow it (follow: true, or ServiceLoadBalancer.forExisting), take it into the state with pulumi import, or delete it if nothing needs it.",
        );
    }
    await cluster.deleteService(namespace, name, found.metadata.uid);
}
