import type * as pulumi from "@pulumi/pulumi";
import { ServiceClaim } from "../../provider/resources";
import { LOAD_BALANCER_CLASSES } from "../../provider/schema/load-balancer-type";
import { API_GROUP, API_VERSION, BINDING_KIND } from "../../provider/sync/binding/spec";
import { childName, type Component } from "./component";
import { clusterArgs } from "./cluster";
import { applyOwnedService, type ComponentService, followService, type ServiceHandle } from "./service";

/**
 * Applies or follows the Service, and claims its load balancer from other controllers.
 *
 * @param options.follow true if another tool applies the Service
 * @param options.handBack true if the Cloud Controller Manager gets the Service back when it leaves the stack
 * @returns the Service, and the resources that must precede everything made for it
 */
export function acquireService(
    component: Component,
    service: ComponentService,
    { follow, handBack }: { readonly follow: boolean; readonly handBack: boolean },
    contract: pulumi.Resource,
): { readonly handle: ServiceHandle; readonly held: readonly pulumi.Resource[] } {
    const handle = follow ? followService(component, service) : applyOwnedService(component, service, contract);
    // A CLB class of this package is a claim by itself.
    const isClaimed = !follow || service.service.loadBalancerClass === LOAD_BALANCER_CLASSES.clb;
    return { handle, held: handBack || !isClaimed ? [claim(component, service, handle, handBack)] : [] };
}

/** Claims a followed Service from the Cloud Controller Manager; `handBack` returns it when it leaves the stack. */
function claim(
    component: Component,
    { service: { loadBalancerType }, ids, cluster }: ComponentService,
    { uid, resource }: ServiceHandle,
    handBack: boolean,
): ServiceClaim {
    return new ServiceClaim(
        childName(component),
        {
            controller: "ack-loadbalancer",
            ...ids,
            uid,
            ...(loadBalancerType === "clb" ? {} : { loadBalancerType }),
            ...clusterArgs(cluster),
            ...(handBack ? { handBack: true } : {}),
        },
        { parent: component.parent, dependsOn: resource },
    );
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
