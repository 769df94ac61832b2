import * as pulumi from "@pulumi/pulumi";
import type { ClbDesired, NlbDesired } from "../../provider/builder";
import type { Backends } from "../../provider/model/backend";
import type { ReuseRequest } from "../../provider/model/observed";
import type { Attributes } from "../../provider/plan/adoption";
import type { ReferenceArgs } from "../service/args";

/** A server group as the Service specifies it. */
export interface DesiredGroup {
    readonly key: string;
    readonly name: string;
    /** Id of a user-managed group that the Service joins. */
    readonly joined?: string;
    /** Port of backends whose keys name none: the nodePort of a group of ECS instances, 0 for a range of ports. */
    readonly port?: number;
    /** The keys of addresses name no port either. */
    readonly addressesOnPort: boolean;
    readonly backends: Backends;
}

/** The desired load balancer, as far as it is known before anything is made. */
export interface AdoptionSpec<Desired extends ClbDesired | NlbDesired = ClbDesired | NlbDesired> {
    readonly desired: Desired;
    readonly references: ReferenceArgs;
    readonly uid: string;
    readonly clusterId: string;
    /** Any ownership key of the Service. */
    readonly owner: string;
    readonly groups: readonly DesiredGroup[];
    /** What the Service wants of a user-managed instance; absent = the instance was made for it. */
    readonly reuse?: ReuseRequest;
    /** The resource group that the Service names; one of the whole cluster is for what is created from now on. */
    readonly resourceGroupId?: pulumi.Input<string>;
    /** Whether a CLB stays paid for as it is, because the Service states nothing that depends on that. Default false. */
    readonly keepsCharge?: boolean;
    readonly ignoreWeights: boolean;
    readonly allowEmpty: boolean;
}

/** Without what is known only once another resource is there. */
export function known(attributes: Attributes): Attributes {
    return Object.fromEntries(
        Object.entries(attributes).filter(
            ([, value]) =>
                !pulumi.Output.isInstance(value) &&
                !(Array.isArray(value) && value.some((one) => pulumi.Output.isInstance(one))),
        ),
    );
}
