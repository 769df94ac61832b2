/** Instance of a Service: created for it, shared by Services of a program, or reused. */
import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../provider/resources";
import type { ClbLoadBalancer } from "../../provider/clb/load-balancer";
import type { NlbLoadBalancer } from "../../provider/nlb/load-balancer";
import { placeArgs } from "../cluster/account";
import { childName, type Component } from "./component";

export interface InstanceResources<LoadBalancer = slb.ApplicationLoadBalancer | nlb.LoadBalancer> {
    readonly instance: InstanceHandle;
    /** Undefined if the instance is shared or reused. */
    readonly loadBalancer?: LoadBalancer;
    readonly release?: dynamic.LoadBalancerRelease | dynamic.LoadBalancerZones;
    readonly reused?: dynamic.ReusedLoadBalancer;
}

/** Origin of an instance, made by this package for a Service, by the program for several, or by a user. */
export type InstanceOrigin = "created" | "shared" | "reused";

/** Instance of a Service, for the resources on it. */
export interface InstanceHandle {
    readonly origin: InstanceOrigin;
    readonly id: pulumi.Output<string>;
    readonly address: pulumi.Output<string>;
    /** The instance, or the Service's use of it. Its deletion removes everything on the instance. */
    readonly resource: pulumi.Resource;
}

/** Load balancer created by a program for several Services. */
export interface SharedInstance {
    /** Unique in the program. */
    readonly name: string;
    readonly model: ClbLoadBalancer;
    readonly loadBalancer: slb.ApplicationLoadBalancer;
    readonly release: dynamic.LoadBalancerRelease;
    readonly address: pulumi.Output<string>;
}

/** Returns the stand-in for the id of a shared instance. The id is known too late, and changes with a replacement. */
export function sharedName({ name }: Pick<SharedInstance, "name">): string {
    return `shared:${name}`;
}

/**
 * Registers the resource that deletes the objects of a Service whose creation ended half-way. They depend on it.
 *
 * @param identity name with which an instance is created, and the ownership mark
 */
export const createRemnant = (
    component: Component,
    { preserve, sourceRanges }: Pick<ClbLoadBalancer | NlbLoadBalancer, "preserve" | "sourceRanges">,
    identity: Pick<dynamic.ResourceArgs<"remnant">, "loadBalancerType" | "name" | "owner">,
    dependsOn: readonly pulumi.Resource[],
): dynamic.LoadBalancerRemnant =>
    new dynamic.LoadBalancerRemnant(
        childName(component),
        {
            ...identity,
            sourceRanges: sourceRanges.length > 0 || undefined,
            preserve: (identity.name !== undefined && preserve) || undefined,
            ...placeArgs(component.account),
        },
        { parent: component.parent, dependsOn: [...dependsOn] },
    );

/**
 * Registers the Service's use of an instance that stays. Its deletion removes what the Service has there, also what a
 * killed run was making.
 */
export const createUse = (
    component: Component,
    use: Pick<
        dynamic.ResourceArgs<"remnant">,
        "loadBalancerType" | "owner" | "loadBalancerId" | "key" | "tags" | "recordedTags"
    >,
    opts: pulumi.CustomResourceOptions,
): dynamic.LoadBalancerRemnant =>
    new dynamic.LoadBalancerRemnant(
        childName(component, "instance"),
        { ...use, ...placeArgs(component.account) },
        { parent: component.parent, ...opts },
    );

/**
 * Returns the inputs of an instance's release, which are the protections to switch off before a deletion, and whether
 * the instance stays.
 */
export function releaseInputs({
    preserve,
    deleteProtection,
    modificationProtection,
}: ClbLoadBalancer | NlbLoadBalancer) {
    const switchesOff = [
        ...(deleteProtection === "on" ? ["deleteProtection"] : []),
        ...(preserve && modificationProtection === "ConsoleProtection" ? ["modificationProtection"] : []),
    ];
    return { preserve: preserve || undefined, switchesOff };
}
