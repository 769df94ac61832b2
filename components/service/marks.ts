/** Marks by which the objects of a Service are recognized in the cloud. */
import * as pulumi from "@pulumi/pulumi";
import { CLUSTER_TAG, defaultLoadBalancerName, type Owner, OWNER_TAG } from "../../provider/schema/names";
import type { ServiceIds } from "./read-service";

export interface Marks {
    readonly owner: pulumi.Output<Owner>;
    /** Default name of the instance, and value of the ownership tag. It is unknown before the Service exists. */
    readonly name: pulumi.Output<string>;
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
}

export function marksOf(ids: ServiceIds, uid: pulumi.Output<string>, clusterId: pulumi.Input<string>): Marks {
    const name = uid.apply(defaultLoadBalancerName);
    return {
        owner: pulumi.output({ ...ids, clusterId }),
        name,
        tags: { [OWNER_TAG]: name, [CLUSTER_TAG]: clusterId },
    };
}
