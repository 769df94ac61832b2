import * as pulumi from "@pulumi/pulumi";
import { ServiceClaim } from "../provider/dynamic";
import { managedByCcm, STAND_ASIDE } from "../provider/model/ccm";
import type { Service } from "../provider/model/service";
import type { ServiceView } from "./cluster";
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
 * Lets a view pass, unless the Cloud Controller Manager manages the Service: two controllers of one load balancer undo each other's work.
 *
 * @throws RunError with the ways out.
 */
export function refuseManaged(service: Service, view: ServiceView): ServiceView {
    if (view.live === undefined || !managedByCcm(view.live)) {
        return view;
    }
    const aside = (view.live.metadata.annotations?.[STAND_ASIDE] ?? "") !== "" ? ", although it is annotated as another controller's" : "";
    throw new pulumi.RunError(
        `the Cloud Controller Manager manages Service ${service.namespace}/${service.name} (its finalizer ${view.live.metadata.finalizers?.join(", ")} is on it${aside}). ` +
            "Cause: two controllers of one load balancer undo each other's work. " +
            "Remedy: take it over with its load balancer and address (adopt; see docs/migrate-from-ccm.md), or leave it out of this stack.",
    );
}
