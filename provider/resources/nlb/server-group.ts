import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link ServerGroupOptions}. */
export interface ServerGroupOptionsArgs {
    /** Id of the NLB server group. */
    readonly serverGroupId: pulumi.Input<string>;
    /** Attributes in the names of the NLB API: `ConnectionDrainTimeout`, `IpVersionAffinityMode`. */
    readonly options: Readonly<Record<string, string>>;
    /** Region of the group. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("nlb/server-group", { create: true, read: true, update: true });

/** Attributes of an NLB server group that the alicloud plugin cannot say, or not in their whole range. */
export class ServerGroupOptions extends pulumi.dynamic.Resource {
    constructor(name: string, args: ServerGroupOptionsArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["serverGroupId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "ServerGroupOptions",
        );
    }
}
