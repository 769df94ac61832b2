import * as pulumi from "@pulumi/pulumi";
import type { FormerTags } from "../plan";
import type { ReusedAttributes } from "../model/observed";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import { delegate } from "./delegate";
import type { AccountReference } from "../deploy/handlers/place";

/** Arguments of {@link ReusedLoadBalancer}. */
export interface ReusedLoadBalancerArgs {
    /** Id of the instance. */
    readonly loadBalancerId: pulumi.Input<string>;
    /** Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** Its address, or the DNS name of an NLB. */
    readonly address: pulumi.Input<string>;
    /** Any ownership key of the Service. Listeners and groups that bear it go when the Service leaves. */
    readonly owner: string;
    /** Attributes of the instance that the Service states. */
    readonly attributes: pulumi.Input<ReusedAttributes>;
    /** Tags that the Service sets; others stay. */
    readonly tags: pulumi.Input<Readonly<Record<string, string>>>;
    /** What tags of the instance were before, as far as that was recorded before they were set. Default: as they are when they are set. */
    readonly recordedTags?: pulumi.Input<FormerTags | undefined>;
    /** Region of the instance. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("reused", { create: true, read: true, update: true, delete: true });

/**
 * A user-managed instance, as far as one Service uses it. Deleting it leaves the instance and everything user-managed on it, and takes the Service's own
 * listeners, groups and tags away.
 */
export class ReusedLoadBalancer extends pulumi.dynamic.Resource {
    /** Id of the instance. */
    declare public readonly loadBalancerId: pulumi.Output<string>;
    /** Its address, or the DNS name of an NLB. */
    declare public readonly address: pulumi.Output<string>;

    constructor(name: string, args: ReusedLoadBalancerArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["loadBalancerId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "ReusedLoadBalancer",
        );
    }
}
