import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerRelease, ReusedLoadBalancer, ServiceContract } from "../../provider/resources";
import { createAcl, type AclResources } from "./acl";
import { type Context, childName } from "../service/context";
import type { InstanceHandle } from "../service/instance";
import { createLoadBalancer, createRelease, type InstanceBase } from "./load-balancer";
import { type Reuse, reuseLoadBalancer } from "../service/reuse";
import type { ServiceHandle } from "../service/service";
import type { SharedInstance } from "../service/shared";

/** What a Service gets, or uses, before groups and listeners are made. */
export interface InstanceResources {
    readonly instance: InstanceHandle;
    readonly loadBalancer?: slb.ApplicationLoadBalancer;
    readonly release?: LoadBalancerRelease;
    readonly reused?: ReusedLoadBalancer;
    readonly acl: AclResources | undefined;
}

/** What it is made from. */
export interface InstanceDependencies {
    readonly contract: ServiceContract;
    readonly handle: ServiceHandle;
    readonly vswitchId: pulumi.Input<string> | undefined;
    /** Inputs of the Service's own instance whose change makes another one. */
    readonly replacing: string[];
    /** Undefined for a Service that gets an instance of its own. */
    readonly reuse: pulumi.Output<Reuse> | undefined;
    /** The instance that the program has made for several Services. */
    readonly shared: SharedInstance | undefined;
    readonly dependsOn: readonly pulumi.Resource[];
}

/** The instance of a Service and the list that guards its listeners. The list outlives the Service's listeners, which use it; one that guards a preserved instance stays with that. */
export function createInstance(context: Context, base: InstanceDependencies): InstanceResources {
    const { reuse, shared, handle, vswitchId } = base;
    if (shared !== undefined) {
        const acl = createAcl(context, handle, undefined);
        return {
            instance: {
                origin: "shared",
                id: shared.loadBalancer.id,
                address: shared.address,
                resource: shared.loadBalancer,
            },
            acl,
        };
    }
    if (reuse === undefined && context.desired.loadBalancer.preserve) {
        const made = create(context, base);
        return { ...made, acl: createAcl(context, handle, made.loadBalancer) };
    }
    const acl = createAcl(context, handle, undefined);
    const dependsOn = [...base.dependsOn, ...(acl === undefined ? [] : [acl.acl])];
    if (reuse !== undefined) {
        const instance = reuseLoadBalancer(context, reuse, { contract: base.contract, dependsOn });
        return { instance, reused: instance.resource, acl };
    }
    return {
        ...create(context, { contract: base.contract, handle, vswitchId, replacing: base.replacing, dependsOn }),
        acl,
    };
}

function create(
    context: Context,
    base: InstanceBase,
): { instance: InstanceHandle; loadBalancer: slb.ApplicationLoadBalancer; release: LoadBalancerRelease } {
    const loadBalancer = createLoadBalancer(context, base);
    const instance: InstanceHandle = {
        origin: "created",
        id: loadBalancer.id,
        address: loadBalancer.address,
        resource: loadBalancer,
    };
    return {
        instance,
        loadBalancer,
        release: createRelease(childName(context), context.desired.loadBalancer, loadBalancer, context.account, {
            parent: context.parent,
        }),
    };
}
