import * as pulumi from "@pulumi/pulumi";
import { delegate } from "./delegate";

/** Arguments of {@link ServiceStatus}. */
export interface ServiceStatusArgs {
    readonly namespace: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
    /** `metadata.uid` of the Service. */
    readonly uid: pulumi.Input<string>;
    /** Path of the kubeconfig. Default: as kubectl finds it. */
    readonly kubeconfig?: pulumi.Input<string>;
    /** Context of the kubeconfig. Default: its current one. */
    readonly context?: string;
    /** `status.loadBalancer.ingress`. */
    readonly ingress: pulumi.Input<pulumi.Input<{ ip?: pulumi.Input<string>; hostname?: pulumi.Input<string> }>[]>;
}

const provider = delegate("status", { create: true, read: true, update: true, delete: true });

/** Writes the load balancer's address into the Service's status, so that `kubectl get svc` shows it. */
export class ServiceStatus extends pulumi.dynamic.Resource {
    constructor(name: string, args: ServiceStatusArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { ...args }, opts, "ack-loadbalancer", "ServiceStatus");
    }
}
