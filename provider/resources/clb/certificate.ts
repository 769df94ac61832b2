import * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link CertificateCheck}. */
export interface CertificateCheckArgs {
    /** `namespace/name` of the Service. */
    readonly service: string;
    /** Ids of the server certificates that its listeners use. */
    readonly certificates: pulumi.Input<string>[];
    /** Region of the certificates. Default: from the environment. */
    readonly region?: string;
}

const provider: pulumi.dynamic.ResourceProvider = {
    check: async (olds, news) => require("ack-loadbalancer/dynamic/certificate").check(olds, news),
    create: async (inputs) => require("ack-loadbalancer/dynamic/certificate").create(inputs),
    update: async (id, olds, news) => require("ack-loadbalancer/dynamic/certificate").update(id, olds, news),
};

/** Refuses, at preview, a certificate that is missing or expired: the cloud would refuse it in the middle of an update. It makes a call only for certificates that are new. */
export class CertificateCheck extends pulumi.dynamic.Resource {
    constructor(name: string, args: CertificateCheckArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { ...args }, opts, "ack-loadbalancer", "CertificateCheck");
    }
}
