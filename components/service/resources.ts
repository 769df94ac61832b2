import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type { GroupShape } from "../../provider/backends";
import type { ClbLoadBalancer } from "../../provider/clb/load-balancer";
import type {
    ListenerOptions,
    LoadBalancerRelease,
    ResourceArgs,
    ReusedLoadBalancer,
    ServerGroupBackends,
    ServiceContract,
} from "../../provider/resources";
import type { OwnershipOptions } from "./claim";
import type { ServiceHandle } from "./service";

/** Options of a Service that are not in its manifest. */
export interface ServiceOptions extends OwnershipOptions {
    /** Create-only settings that this run may change. */
    readonly allowReplacement: readonly string[];
    /** Instance that the program creates for several Services. */
    readonly shared: SharedInstance | undefined;
}

/** Resources of a Service with either load balancer type. */
export interface ServiceResources {
    readonly contract: ServiceContract;
    readonly handle: ServiceHandle;
    readonly instance: InstanceHandle;
    /** Undefined if the instance is shared or reused. */
    readonly loadBalancer: slb.ApplicationLoadBalancer | nlb.LoadBalancer | undefined;
    readonly reused: ReusedLoadBalancer | undefined;
    readonly release: LoadBalancerRelease | undefined;
    readonly serverGroups: Readonly<Record<string, slb.ServerGroup | nlb.ServerGroup>>;
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    readonly listeners: Readonly<Record<string, slb.Listener | nlb.Listener>>;
    readonly listenerOptions: Readonly<Record<string, ListenerOptions>>;
    /** Ingress of the Service's status. */
    readonly ingress: ResourceArgs<"status">["ingress"];
    /**
     * Dependencies of the Service's status, including all resources that no other depends on: a deletion then begins
     * with the status, which detects another cluster.
     */
    readonly ready: readonly pulumi.Resource[];
}

/** Creator of the instance: this package for one Service, the program for several, or a user. */
export type InstanceOrigin = "created" | "shared" | "reused";

/** Instance of a Service, for the resources on it. */
export interface InstanceHandle {
    readonly origin: InstanceOrigin;
    readonly id: pulumi.Output<string>;
    readonly address: pulumi.Output<string>;
    /** Resource whose deletion removes everything on the instance: the instance, or the Service's use of it. */
    readonly resource: pulumi.Resource;
}

/** Server group, for its backends. */
export interface BackendsResources {
    readonly model: GroupShape;
    readonly id: pulumi.Output<string>;
    /** Undefined if the group is user-managed. */
    readonly resource: pulumi.CustomResource | undefined;
    /** Name of the group and mark of its backends. */
    readonly mark: pulumi.Output<string>;
    /** Port of members without one in their key: the nodePort, or 0 for a port range; undefined for pods. */
    readonly nodePort: pulumi.Output<number> | undefined;
    /** Server type of an NLB's group; undefined for a vServer group. */
    readonly groupType?: "Instance" | "Ip";
}

/** Load balancer that a program creates for several Services. */
export interface SharedInstance {
    /** Unique in the program. */
    readonly name: string;
    readonly model: ClbLoadBalancer;
    readonly loadBalancer: slb.ApplicationLoadBalancer;
    readonly release: LoadBalancerRelease;
    readonly address: pulumi.Output<string>;
}

/** Returns the stand-in for the id of a shared instance, which is known too late and changes with a replacement. */
export function sharedName({ name }: Pick<SharedInstance, "name">): string {
    return `shared:${name}`;
}

/** Returns the protections that deleting the Service switches off, for the preview. */
export function protectionsSwitchedOff(model: {
    readonly deleteProtection: boolean;
    readonly modificationProtection: string;
    readonly preserve: boolean;
}): string[] {
    return [
        ...(model.deleteProtection ? ["deleteProtection"] : []),
        ...(model.preserve && model.modificationProtection === "ConsoleProtection" ? ["modificationProtection"] : []),
    ];
}
