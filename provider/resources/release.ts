import * as pulumi from "@pulumi/pulumi";
import { delegate } from "./delegate";
import type { AccountReference } from "../deploy/handlers/place";

/** Arguments of {@link LoadBalancerRelease}. */
export interface LoadBalancerReleaseArgs {
    readonly loadBalancerId: pulumi.Input<string>;
    /** Default `clb`. */
    readonly loadBalancerType?: "clb" | "nlb";
    /** NLB server groups that stay with their instance. Default none. */
    readonly serverGroupIds?: pulumi.Input<string>[];
    /** The instance stays when the Service is deleted, without protections and without the marks of its owner. Default false. */
    readonly preserve?: boolean;
    /** Protections of the instance that deleting this resource switches off, so that a preview of the deletion names them. */
    readonly switchesOff: readonly string[];
    /** Status that a CLB has while it is used: one that was switched off is set active again. */
    readonly status?: "active";
    /** Region of the instance. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("release", { create: true, read: true, update: true, delete: true });

/** Switches protection off just before its instance is deleted, and takes the owner's marks off one that stays. While the instance is used it keeps a CLB active. */
export class LoadBalancerRelease extends pulumi.dynamic.Resource {
    constructor(name: string, args: LoadBalancerReleaseArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["loadBalancerId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "LoadBalancerRelease",
        );
    }
}
