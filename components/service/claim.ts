import * as pulumi from "@pulumi/pulumi";
import type { ServiceObject } from "../../provider/kubernetes";
import {
    CCM_FINALIZERS,
    CCM_LABELS,
    ccmMarks,
    managedByCcm,
    RELEASE_REMEDY,
} from "../../provider/kubernetes/service/controller";
import type { Service } from "../../provider/kubernetes/service/service";
import { ServiceClaim } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { LOAD_BALANCER_CLASSES, NLB_CLASS } from "../../provider/schema/load-balancer-type";
import { API_GROUP, API_VERSION, BINDING_KIND } from "../../provider/sync/binding/spec";
import { type AnyContext, childName } from "./context";
import { clusterArgs } from "./identity";
import { applyOwnedService, followService, type ServiceHandle } from "./service";

/** How a Service comes to this stack, and how it leaves it. */
export interface OwnershipOptions {
    /** Another tool applies it. */
    readonly follow: boolean;
    /** Handed back to the Cloud Controller Manager when it leaves the stack. */
    readonly handBack: boolean;
}

/** Advice on a Service whose manifest keeps the class of the Cloud Controller Manager; undefined for any other. */
export function adviseOnClass(name: string, { loadBalancerClass }: Service, follow: boolean): string | undefined {
    return follow && loadBalancerClass === NLB_CLASS
        ? `Service ${name}: its manifest says loadBalancerClass ${NLB_CLASS}, for which the Cloud Controller Manager makes an NLB. ` +
              `In the cluster this stack gives it the class ${LOAD_BALANCER_CLASSES.nlb}. Remedy: write that class in the manifest too, once this run is done; the API server refuses a manifest with another one.`
        : undefined;
}

/**
 * Applies the Service or follows it, and makes sure that no other controller manages its load balancer.
 *
 * @returns the Service, and what must be there before anything is made for it.
 */
export function acquireService(
    context: AnyContext,
    ownership: OwnershipOptions,
    contract: pulumi.Resource,
): { readonly handle: ServiceHandle; readonly held: readonly pulumi.Resource[] } {
    const handle = ownership.follow ? followService(context) : applyOwnedService(context, contract);
    const claimed = claim(context, handle, ownership);
    return { handle, held: claimed === undefined ? [] : [claimed] };
}

/**
 * Keeps the Cloud Controller Manager away from a Service that another tool applies, and, if asked, gives it the Service when this stack lets go of it.
 *
 * None for a Service that this stack applies, or that was made for this package with a CLB, and that keeps its class.
 */
function claim(
    context: AnyContext,
    handle: ServiceHandle,
    { follow, handBack }: OwnershipOptions,
): ServiceClaim | undefined {
    const { loadBalancerClass, loadBalancerType } = context.service;
    if (!handBack && (!follow || loadBalancerClass === LOAD_BALANCER_CLASSES.clb)) {
        return undefined;
    }
    return new ServiceClaim(
        childName(context),
        {
            controller: "ack-loadbalancer",
            namespace: context.service.namespace,
            name: context.service.name,
            uid: handle.uid,
            ...(loadBalancerType === "clb" ? {} : { loadBalancerType }),
            ...clusterArgs(context.cluster),
            ...(handBack ? { handBack: true } : {}),
        },
        { parent: context.parent, ...defined({ dependsOn: handle.resource }) },
    );
}

/**
 * Refuses a Service that the Cloud Controller Manager manages: two controllers of one load balancer undo each other's work.
 *
 * @param live the Service as it stands in the cluster; absent if it is not there yet.
 * @throws RunError with the ways out.
 */
export function refuseManagedByCcm(live: ServiceObject | undefined): void {
    if (live === undefined || !managedByCcm(live)) {
        return;
    }
    const { namespace, name } = live.metadata;
    throw new pulumi.RunError(
        `Service ${namespace}/${name}: the Cloud Controller Manager (CCM) looks after this Service: ${ccmMarks(live.metadata).join(", ")}. Remedy: ${RELEASE_REMEDY}.`,
    );
}

/** A Service as it stands in the cluster, but for what the Cloud Controller Manager has left on it: as a manifest it would be refused for that. */
export function withoutCcmMarks(live: ServiceObject): ServiceObject {
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

/** Type of bindings in the stack. */
export const BINDING_TYPE = `kubernetes:${API_GROUP}/${API_VERSION}:${BINDING_KIND}`;

/**
 * Children stay where they are when they leave the stack; only the claim acts then, which gives the Service away, and bindings, which would keep the sync controller on it.
 *
 * @param component type of the component.
 */
export function staying(
    component: string,
    opts: pulumi.ComponentResourceOptions = {},
): pulumi.ComponentResourceOptions {
    const retain: pulumi.ResourceTransformation = ({ type, props, opts: own }) =>
        type.endsWith(":ServiceClaim") || type === BINDING_TYPE || type === component
            ? undefined
            : { props, opts: { ...own, retainOnDelete: true } };
    return { ...opts, transformations: [...(opts.transformations ?? []), retain] };
}
