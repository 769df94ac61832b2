import * as pulumi from "@pulumi/pulumi";
import { delegate } from "../delegate";
import type { AccountReference } from "../../deploy/handlers/place";

/** Arguments of {@link VSwitchChoice}. */
export interface VSwitchChoiceArgs {
    /** `namespace/name` of the Service. */
    readonly service: string;
    /** The vSwitch that the Service names; absent = one of the candidates. */
    readonly named?: pulumi.Input<string>;
    /** vSwitches of the cluster's control plane, in their order. */
    readonly candidates: readonly string[];
    /** `first`: the first candidate, whatever its state. `available`: the first one with a free address. */
    readonly rule: "first" | "available";
    /** Static address that the instance asks for, which must be in the range of the vSwitch. Default: any. */
    readonly address?: string;
    /** VPC of the cluster, which the vSwitch must be in. Default: not compared. */
    readonly vpcId?: string;
    /** vSwitch that the instance stands in already, where it is taken over: nothing is to be looked at or chosen. */
    readonly adopted?: string;
    /** Region of the vSwitches. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("clb/vswitch", { check: true, create: true, update: true });

/** The vSwitch of an internal instance. Chosen once and then kept: an instance cannot move. */
export class VSwitchChoice extends pulumi.dynamic.Resource {
    /** Id of the vSwitch. */
    declare public readonly chosen: pulumi.Output<string>;

    constructor(name: string, args: VSwitchChoiceArgs, opts?: pulumi.CustomResourceOptions) {
        super(provider, name, { chosen: undefined, ...args }, opts, "ack-loadbalancer", "VSwitchChoice");
    }
}
