import * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link ServiceStatus}. */
export interface ServiceStatusArgs {
    readonly namespace: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
    /** `metadata.uid` of the Service. */
    readonly uid: pulumi.Input<string>;
    /** Context of the kubeconfig. Default: its current one. */
    readonly context?: string;
    /** `status.loadBalancer.ingress`. */
    readonly ingress: pulumi.Input<pulumi.Input<{ ip?: pulumi.Input<string>; hostname?: pulumi.Input<string> }>[]>;
}

const provider: pulumi.dynamic.ResourceProvider = {
    create: async (inputs) => require("ack-loadbalancer/dynamic/status").create(inputs),
    read: async (id, props) => require("ack-loadbalancer/dynamic/status").read(id, props),
    update: async (id, olds, news) => require("ack-loadbalancer/dynamic/status").update(id, olds, news),
    delete: async (id, props) => require("ack-loadbalancer/dynamic/status").delete(id, props),
};

/** Writes the load balancer's address into the Service's status, so that `kubectl get svc` shows it. */
export class ServiceStatus extends pulumi.dynamic.Resource {
    constructor(name: string, args: ServiceStatusArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { ...args }, opts, "ack-loadbalancer", "ServiceStatus");
    }
}
