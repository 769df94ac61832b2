import * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link ServiceClaim}. */
export interface ServiceClaimArgs {
    readonly namespace: pulumi.Input<string>;
    readonly name: pulumi.Input<string>;
    /** `metadata.uid` of the Service. */
    readonly uid: pulumi.Input<string>;
    /** Context of the kubeconfig. Default: its current one. */
    readonly context?: string;
    /** When this resource goes, the Service goes back to the Cloud Controller Manager. Default false: nobody looks after it then. */
    readonly handBack?: boolean;
}

const provider: pulumi.dynamic.ResourceProvider = {
    create: async (inputs) => require("ack-loadbalancer/dynamic/claim").create(inputs),
    read: async (id, props) => require("ack-loadbalancer/dynamic/claim").read(id, props),
    update: async (id, olds, news) => require("ack-loadbalancer/dynamic/claim").update(id, olds, news),
    delete: async (id, props) => require("ack-loadbalancer/dynamic/claim").delete(id, props),
};

/** Who looks after a Service that somebody else applies: the Cloud Controller Manager stands aside while this resource is there. The Service's spec is not touched. */
export class ServiceClaim extends pulumi.dynamic.Resource {
    constructor(name: string, args: ServiceClaimArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { controller: "ack-loadbalancer", ...args }, opts, "ack-loadbalancer", "ServiceClaim");
    }
}
