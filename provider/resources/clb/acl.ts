import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link AclEntries}. */
export interface AclEntriesArgs {
    /** Id of the access control list. */
    readonly aclId: pulumi.Input<string>;
    /** Comment of each entry, by its address range. A map, so that a change reads as one line. */
    readonly entries: Readonly<Record<string, string>>;
    /** Region of the list. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("clb/acl", { create: true, read: true, update: true, delete: true });

/** All entries of an access control list of our own as one resource: batches of 50, IPv6 too, added before removed, because an empty list lets everyone in. */
export class AclEntries extends pulumi.dynamic.Resource {
    constructor(name: string, args: AclEntriesArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["aclId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "AclEntries",
        );
    }
}
