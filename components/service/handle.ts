import type * as core from "@pulumi/kubernetes/core/v1";
import type * as pulumi from "@pulumi/pulumi";
import type { ServerGroup } from "../../provider/schema/server-group";

/** Applied or followed Service, for the other children. */
export interface ServiceHandle {
    /** Undefined if the Service is followed. */
    readonly resource: core.Service | undefined;
    /** Unknown before the Service exists. */
    readonly uid: pulumi.Output<string>;
    /** Returns the nodePort of a group of nodes, unknown before the cluster has chosen it, or undefined for pods. */
    nodePortOf(group: Pick<ServerGroup, "kind" | "ports">): pulumi.Output<number> | undefined;
}
