import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link NlbCertificateCheck}. */
export interface NlbCertificateCheckArgs {
    /** `namespace/name` of the Service. */
    readonly service: string;
    /** Ids of the server certificates of each TCPSSL listener, by the listener: `tcpssl:443`. */
    readonly listeners: Readonly<Record<string, readonly pulumi.Input<string>[]>>;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("nlb/certificate-check", { check: true, create: true, update: true });

/** Refuses, at preview, a certificate that is missing or expired: the cloud would refuse it in the middle of an update. It makes a call only for certificates that are new. */
export class NlbCertificateCheck extends pulumi.dynamic.Resource {
    constructor(name: string, args: NlbCertificateCheckArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { ...args }, opts, "ack-loadbalancer", "NlbCertificateCheck");
    }
}
