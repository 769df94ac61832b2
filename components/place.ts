import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerRelease, ReusedLoadBalancer } from "../provider/dynamic";
import { createAcl, type PlacedAcl } from "./acl";
import type { Context } from "./context";
import type { PlacedInstance } from "./instance";
import { createLoadBalancer, createRelease } from "./loadbalancer";
import { type Reuse, reuseLoadBalancer } from "./reuse";
import type { ServiceHandle } from "./service";

/** What a Service gets, or uses, before groups and listeners are made. */
export interface Placement {
    readonly instance: PlacedInstance;
    readonly loadBalancer?: slb.ApplicationLoadBalancer;
    readonly release?: LoadBalancerRelease;
    readonly reused?: ReusedLoadBalancer;
    readonly acl: PlacedAcl | undefined;
}

/** What it is made from. */
export interface PlacementBase {
    readonly handle: ServiceHandle;
    readonly vswitchId: pulumi.Input<string> | undefined;
    /** Undefined for a Service that gets an instance of its own. */
    readonly reuse: pulumi.Output<Reuse> | undefined;
    readonly dependsOn: readonly pulumi.Resource[];
}

/** The instance of a Service and the list that guards its listeners. The list outlives the Service's listeners, which use it; one that guards a preserved instance stays with that. */
export function placeInstance(context: Context, base: PlacementBase): Placement {
    const { reuse, handle, vswitchId } = base;
    if (reuse === undefined && context.desired.loadBalancer.preserve) {
        const made = create(context, base);
        return { ...made, acl: createAcl(context, handle, made.loadBalancer) };
    }
    const acl = createAcl(context, handle, undefined);
    const dependsOn = [...base.dependsOn, ...(acl === undefined ? [] : [acl.acl])];
    if (reuse !== undefined) {
        const instance = reuseLoadBalancer(context, reuse, dependsOn);
        return { instance, reused: instance.resource, acl };
    }
    return { ...create(context, { handle, vswitchId, dependsOn }), acl };
}

function create(context: Context, base: Omit<PlacementBase, "reuse">): { instance: PlacedInstance; loadBalancer: slb.ApplicationLoadBalancer; release: LoadBalancerRelease } {
    const loadBalancer = createLoadBalancer(context, base);
    const instance: PlacedInstance = { origin: "created", id: loadBalancer.id, address: loadBalancer.address, resource: loadBalancer };
    return { instance, loadBalancer, release: createRelease(context, loadBalancer) };
}
