import type * as pulumi from "@pulumi/pulumi";
import type { GroupShape } from "../../provider/backend";

/** A server group, as far as its backends need it. */
export interface BackendsResources {
    readonly model: GroupShape;
    readonly id: pulumi.Output<string>;
    /** Undefined if the group is user-managed, whose backends the Service's join. */
    readonly resource: pulumi.CustomResource | undefined;
    /** Name of the group and mark of its backends. */
    readonly mark: pulumi.Output<string>;
    /** Port of the members whose keys name none: the nodePort, or 0 for a range of ports; undefined where pods are attached directly. */
    readonly nodePort: pulumi.Output<number> | undefined;
    /** What an NLB's group holds; undefined for a vServer group. */
    readonly groupType?: "Instance" | "Ip";
}
