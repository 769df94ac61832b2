import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link AclCheck}. */
export interface AclCheckArgs {
    /** `namespace/name` of the Service. */
    readonly service: string;
    /** Ids of the access control lists that its listeners use. */
    readonly lists: readonly string[];
    /** Region of the lists. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("clb/acl-check", { check: true, create: true, read: true, update: true });

/**
 * Refuses, at preview, an access control list that does not exist, and records which of the lists have no entries. It makes a call only for lists that are new, and in
 * a refresh.
 */
export class AclCheck extends pulumi.dynamic.Resource {
    constructor(name: string, args: AclCheckArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { ...args }, opts, "ack-loadbalancer", "AclCheck");
    }
}
