import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link CertificateCheck}. */
export interface CertificateCheckArgs {
    /** `namespace/name` of the Service. */
    readonly service: string;
    /** Ids of the server certificates that its listeners use. */
    readonly certificates: pulumi.Input<string>[];
    /** Region of the certificates. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("clb/certificate", { check: true, create: true, update: true });

/** Refuses, at preview, a certificate that is missing or expired: the cloud would refuse it in the middle of an update. It makes a call only for certificates that are new. */
export class CertificateCheck extends pulumi.dynamic.Resource {
    constructor(name: string, args: CertificateCheckArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { ...args }, opts, "ack-loadbalancer", "CertificateCheck");
    }
}
