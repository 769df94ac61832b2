import * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerType } from "../schema/load-balancer-type";
import { delegate } from "./delegate";

/** Arguments of {@link ServiceClaim}. */
export interface ServiceClaimArgs {
    readonly namespace: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
    /** `metadata.uid` of the Service. */
    readonly uid: pulumi.Input<string>;
    /** What the Service has: for a CLB an annotation names this package, for an NLB `spec.loadBalancerClass` does. Default `clb`. */
    readonly loadBalancerType?: LoadBalancerType;
    /** Path of the kubeconfig. Default: as kubectl finds it. */
    readonly kubeconfig?: pulumi.Input<string>;
    /** Context of the kubeconfig. Default: its current one. */
    readonly context?: string;
    /** When this resource is deleted, the Service is handed back to the Cloud Controller Manager. Default false: no controller manages it then. */
    readonly handBack?: boolean;
}

const provider = delegate("claim", { create: true, read: true, update: true, delete: true });

/** Who looks after a Service that another tool applies: the Cloud Controller Manager stands aside while this resource is there. Of the Service's spec nothing changes but the class of one with an NLB. */
export class ServiceClaim extends pulumi.dynamic.Resource {
    constructor(name: string, args: ServiceClaimArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { controller: "ack-loadbalancer", ...args }, opts, "ack-loadbalancer", "ServiceClaim");
    }
}
