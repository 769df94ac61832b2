import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link SourceSecurityGroup}. */
export interface SourceSecurityGroupArgs {
    /** Name of the group; only this Service has it. */
    readonly name: pulumi.Input<string>;
    /** Description of the group and mark of its rules. Rules without it are left alone. */
    readonly description: string;
    readonly vpcId: pulumi.Input<string>;
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
    /** What becomes of connections, by the address range that they come from. A map, so that a change reads as one line. */
    readonly rules: Readonly<Record<string, "accept" | "drop">>;
    readonly resourceGroupId?: pulumi.Input<string>;
    /** The load balancer stays when the Service is deleted, and with it its security group. Default false. */
    readonly preserve?: boolean;
    /** Region of the group. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("nlb/security-group", { create: true, read: true, update: true, delete: true });

/** A security group of our own for a Service's source ranges, with all its rules as one resource. */
export class SourceSecurityGroup extends pulumi.dynamic.Resource {
    constructor(name: string, args: SourceSecurityGroupArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["name", "vpcId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "SourceSecurityGroup",
        );
    }
}
