import * as pulumi from "@pulumi/pulumi";
import type { nlb } from "../../alicloud";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link ZoneCheck}. */
export interface ZoneCheckArgs {
    /** `namespace/name` of the Service. */
    readonly service: string;
    /** VPC of the cluster, where it is known; else that of the vSwitches. */
    readonly vpcId?: pulumi.Input<string>;
    /** vSwitch of each zone, by zone id. */
    readonly vswitches: Readonly<Record<string, pulumi.Input<string>>>;
    /** The instance that is about to be made, for the cloud to say whether it would; in a preview alone. Default: nothing is asked. */
    readonly request?: pulumi.Input<nlb.NlbCreateSpec>;
    /** Region of the vSwitches. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("nlb/zone-check", { check: true, create: true, update: true });

/** Refuses, at preview, vSwitches that are not there, not in their zone or not in one VPC, and finds that VPC. It makes a call only for vSwitches that are new, and one to ask about an instance that is. */
export class ZoneCheck extends pulumi.dynamic.Resource {
    /** The VPC that the load balancer is made in. */
    declare public readonly vpc: pulumi.Output<string>;

    constructor(name: string, args: ZoneCheckArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { vpc: undefined, ...args }, opts, "ack-loadbalancer", "ZoneCheck");
    }
}
