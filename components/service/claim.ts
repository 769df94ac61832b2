import * as pulumi from "@pulumi/pulumi";
import type { ServiceObject } from "../../provider/service/objects";
import { CCM_FINALIZERS, CCM_LABELS, ccmMarks, managedByCcm, RELEASE_REMEDY } from "../../provider/service/controller";
import type { Service } from "../../provider/service/service";
import { ServiceClaim } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { LOAD_BALANCER_CLASSES, NLB_CLASS } from "../../provider/schema/load-balancer-type";
import { API_GROUP, API_VERSION, BINDING_KIND } from "../../provider/sync/binding/spec";
import { type AnyContext, childName } from "./context";
import { clusterArgs } from "./identity";
import { applyOwnedService, followService, type ServiceHandle } from "./service";

/** Ownership of a Service when it joins and leaves this stack. */
export interface OwnershipOptions {
    /** True if another tool applies the Service. */
    readonly follow: boolean;
    /** True if the Cloud Controller Manager gets the Service back when it leaves the stack. */
    readonly handBack: boolean;
}

/** Advice for a followed Service whose manifest has the NLB class of the Cloud Controller Manager, else undefined. */
export function adviseOnClass(name: string, { loadBalancerClass }: Service, follow: boolean): string | undefined {
    return follow && loadBalancerClass === NLB_CLASS
        ? `Service ${name}: its manifest says loadBalancerClass ${NLB_CLASS}, ` +
              "for which the Cloud Controller Manager makes an NLB. " +
              `In the cluster this stack gives it the class ${LOAD_BALANCER_CLASSES.nlb}. ` +
              "Remedy: write that class in the manifest too, once this run is done; " +
              "the API server refuses a manifest with another one."
        : undefined;
}

/**
 * Applies or follows the Service, and claims its load balancer from other controllers.
 *
 * @returns the Service, and the resources that must precede everything made for it
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
 * Claims a followed Service from the Cloud Controller Manager; `handBack` returns it when it leaves the stack.
 *
 * Undefined without `handBack` for a Service that this stack applies or whose class is this package's for a CLB.
 */
function claim(
    context: AnyContext,
    handle: ServiceHandle,
    { follow, handBack }: OwnershipOptions,
): ServiceClaim | undefined {
    const { loadBalancerClass, loadBalancerType } = context.service;
    if (!handBack && (!follow || loadBalancerClass === LOAD_BALANCER_CLASSES.clb)) return undefined;
    return new ServiceClaim(
        childName(context),
        {
            controller: "ack-loadbalancer",
            ...context.ids,
            uid: handle.uid,
            ...(loadBalancerType === "clb" ? {} : { loadBalancerType }),
            ...clusterArgs(context.cluster),
            ...(handBack ? { handBack: true } : {}),
        },
        { parent: context.parent, ...defined({ dependsOn: handle.resource }) },
    );
}

/**
 * Refuses a Service that the Cloud Controller Manager manages.
 *
 * @param live the Service in the cluster; undefined if it does not exist yet
 * @throws RunError with the remedy
 */
export function refuseManagedByCcm(live: ServiceObject | undefined): void {
    if (live === undefined || !managedByCcm(live)) return;
    const { namespace, name } = live.metadata;
    throw new pulumi.RunError(
        `Service ${namespace}/${name}: the Cloud Controller Manager (CCM) looks after this Service: ` +
            `${ccmMarks(live.metadata).join(", ")}. Remedy: ${RELEASE_REMEDY}.`,
    );
}

/** Returns a live Service without the marks of the Cloud Controller Manager, with which a manifest is refused. */
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

/** Pulumi type of bindings. */
export const BINDING_TYPE = `kubernetes:${API_GROUP}/${API_VERSION}:${BINDING_KIND}`;

/**
 * Retains all children when they leave the stack, except the claim, which hands the Service back, and bindings, which
 * would keep the sync controller on it.
 *
 * @param component type of the component
 */
export function retainChildren(
    component: string,
    opts: pulumi.ComponentResourceOptions = {},
): pulumi.ComponentResourceOptions {
    const retain: pulumi.ResourceTransformation = ({ type, props, opts: own }) =>
        type.endsWith(":ServiceClaim") || type === BINDING_TYPE || type === component
            ? undefined
            : { props, opts: { ...own, retainOnDelete: true } };
    return { ...opts, transformations: [...(opts.transformations ?? []), retain] };
}
