import * as pulumi from "@pulumi/pulumi";
import { ServiceClaim } from "../provider/dynamic";
import { CCM_FINALIZERS, CCM_LABELS, ccmMarks, managedByCcm, WAY_OUT } from "../provider/model/controller";
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
    const { namespace, name } = live.metadata;
    throw new pulumi.RunError(
        `Service ${namespace}/${name}: the Cloud Controller Manager (CCM) looks after this Service: ${ccmMarks(live.metadata).join(", ")}. Remedy: ${WAY_OUT}.`,
    );
}

/** A Service as it stands in the cluster, but for what the Cloud Controller Manager has left on it: as a manifest it would be refused for that. */
export function withoutMarks(live: ServiceObject | undefined): ServiceObject | undefined {
    if (live === undefined) {
        return undefined;
    }
    const { finalizers, labels = {}, ...metadata } = live.metadata;
    return {
        ...live,
        metadata: {
            ...metadata,
            finalizers: (finalizers ?? []).filter((finalizer) => !CCM_FINALIZERS.includes(finalizer)),
            labels: Object.fromEntries(Object.entries(labels).filter(([label]) => !CCM_LABELS.includes(label))),
        },
    };
}
