import * as pulumi from "@pulumi/pulumi";
import { ServiceClaim } from "../provider/dynamic";
import { managedByCcm, STAND_ASIDE } from "../provider/model/ccm";
import type { ServiceObject } from "../provider/cluster";
import { type Context, childName } from "./context";
import type { ServiceHandle } from "./service";

/** How a Service comes to this stack, and how it leaves it. */
export interface Custody {
    /** Somebody else applies it. */
    readonly follow: boolean;
    /** Goes back to the Cloud Controller Manager when it leaves the stack. */
    readonly handBack: boolean;
}

/**
 * Keeps the Cloud Controller Manager away from a Service whose class can no longer be set, and, if asked, gives it the Service when this stack lets go of it.
 *
 * None for a Service that has a class of its own and keeps it.
 */
export function claim(context: Context, handle: ServiceHandle, { follow, handBack }: Custody): ServiceClaim | undefined {
    if (!handBack && (!follow || context.service.loadBalancerClass !== undefined)) {
        return undefined;
    }
    return new ServiceClaim(
        childName(context),
        {
            namespace: context.service.namespace,
            name: context.service.name,
            uid: handle.uid,
            ...(context.cluster.context === undefined ? {} : { context: context.cluster.context }),
            ...(handBack ? { handBack: true } : {}),
        },
        { parent: context.parent, ...(handle.resource === undefined ? {} : { dependsOn: handle.resource }) },
    );
}

/**
 * Refuses a Service that the Cloud Controller Manager manages: two controllers of one load balancer undo each other's work.
 *
 * @param live the Service as it stands in the cluster; absent if it is not there yet.
 * @throws RunError with the ways out.
 */
export function refuseManaged(live: ServiceObject | undefined): void {
    if (live === undefined || !managedByCcm(live)) {
        return;
    }
    const { namespace, name, finalizers, annotations } = live.metadata;
    const aside = (annotations?.[STAND_ASIDE] ?? "") !== "" ? ", although it is annotated as another controller's" : "";
    throw new pulumi.RunError(
        `the Cloud Controller Manager manages Service ${namespace}/${name} (its finalizer ${finalizers?.join(", ")} is on it${aside}). ` +
            "Cause: two controllers of one load balancer undo each other's work. " +
            "Remedy: take it over with its load balancer and address (adopt; see docs/migrate-from-ccm.md), or leave it out of this stack.",
    );
}
