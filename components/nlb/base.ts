import type * as pulumi from "@pulumi/pulumi";
import type { ServiceContract } from "../../provider/resources";
import type { ServiceHandle } from "../service/service";

/** Dependencies of all resources of a Service's NLB. */
export interface NlbBase {
    readonly contract: ServiceContract;
    readonly handle: ServiceHandle;
    readonly vpcId: pulumi.Input<string>;
    /** Must be there before anything is made. */
    readonly dependsOn: readonly pulumi.Resource[];
}
