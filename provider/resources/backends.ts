import * as pulumi from "@pulumi/pulumi";
import type { Backends } from "../model/backend";
import { delegate } from "./delegate";
import type { AccountReference } from "../deploy/handlers/place";

/** Arguments of {@link ServerGroupBackends}. */
export interface ServerGroupBackendsArgs {
    /** Id of the server group. */
    readonly serverGroupId: pulumi.Input<string>;
    /** Ownership mark that each backend carries as its description. Members without it are user-managed and left alone. */
    readonly description: pulumi.Input<string>;
    /** Kind of the group: a CLB's vServer group, or what an NLB's server group holds. Default `VServer`. */
    readonly groupType?: "VServer" | "Instance" | "Ip";
    /** nodePort, for the backends whose keys name no port. */
    readonly port?: pulumi.Input<number>;
    /** The backends, keyed by ECS instance id or pod address. */
    readonly backends: pulumi.Input<Backends>;
    /** Set weights when a backend is added, and never again. Default false. */
    readonly ignoreWeights?: boolean;
    /** Allow the last backend to be removed. Default false: an empty answer of the cluster keeps the backends that are there. */
    readonly allowEmpty?: boolean;
    /** The sync controller keeps the backends once the group is filled; a run leaves them alone then. Default false. */
    readonly sync?: boolean;
    /** Region of the instance. Default: from the environment. */
    readonly region?: string;
    /** Profile, role and endpoints. Default: from the environment. */
    readonly account?: AccountReference;
}

const provider = delegate("backends", { check: true, create: true, read: true, update: true, delete: true });

/**
 * All backends of one server group as one resource: batches of 20 (NLB: 40, and their jobs awaited), weights in place, pods by their own address, user-managed members untouched.
 *
 * A new group replaces the resource; everything else is an update that makes no call for what did not change.
 */
export class ServerGroupBackends extends pulumi.dynamic.Resource {
    /** The backends that the group has. */
    declare public readonly backends: pulumi.Output<Backends>;

    constructor(name: string, args: ServerGroupBackendsArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            provider,
            name,
            { ...args },
            { ...opts, replaceOnChanges: ["serverGroupId", ...(opts?.replaceOnChanges ?? [])] },
            "ack-loadbalancer",
            "ServerGroupBackends",
        );
    }
}
