import type * as pulumi from "@pulumi/pulumi";

/** Who made the instance of a Service: this package for this Service, the program for several, or a user. */
export type InstanceOrigin = "created" | "shared" | "reused";

/** The instance of a Service, as everything that stands on it needs it. */
export interface InstanceHandle {
    readonly origin: InstanceOrigin;
    readonly id: pulumi.Output<string>;
    readonly address: pulumi.Output<string>;
    /** The resource whose deletion removes everything on the instance: the instance itself, or the Service's use of it. */
    readonly resource: pulumi.Resource;
}
