import * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link AdditionalCertificates}. */
export interface AdditionalCertificatesArgs {
    /** Id of the NLB listener. */
    readonly listenerId: pulumi.Input<string>;
    /** Ids of the certificates beside the listener's own. */
    readonly certificates: readonly string[];
    /** Region of the listener. Default: from the environment. */
    readonly region?: string;
}

const provider: pulumi.dynamic.ResourceProvider = {
    create: async (inputs) => require("ack-loadbalancer/dynamic/certificates").create(inputs),
    read: async (id, props) => require("ack-loadbalancer/dynamic/certificates").read(id, props),
    update: async (id, olds, news) => require("ack-loadbalancer/dynamic/certificates").update(id, olds, news),
    delete: async (id, props) => require("ack-loadbalancer/dynamic/certificates").delete(id, props),
};

/** All further certificates of one NLB listener as one resource: 15 a call, one call after the other, because a listener takes one change at a time. */
export class AdditionalCertificates extends pulumi.dynamic.Resource {
    constructor(name: string, args: AdditionalCertificatesArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["listenerId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "AdditionalCertificates",
        );
    }
}
