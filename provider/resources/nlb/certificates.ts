import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link AdditionalCertificates}. */
export interface AdditionalCertificatesArgs {
    /** Id of the NLB listener. */
    readonly listenerId: pulumi.Input<string>;
    /** Ids of the certificates beside the listener's own. */
    readonly certificates: readonly string[];
    /** Region of the listener. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("nlb/certificates", { create: true, read: true, update: true, delete: true });

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
