import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type { GroupShape } from "../../provider/backend";
import type { ClbLoadBalancer } from "../../provider/model/clb";
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

/** What the program says of a Service beside its manifest. */
export interface ServiceOptions extends OwnershipOptions {
    /** Create-only settings that may change this time. */
    readonly allowReplacement: readonly string[];
    /** The instance that the program has made for several Services. */
    readonly shared: SharedInstance | undefined;
}

/** All that was made for a Service, of whatever kind its load balancer is. */
export interface ServiceResources {
    readonly contract: ServiceContract;
    readonly handle: ServiceHandle;
    readonly instance: InstanceHandle;
    /** The instance, if it was made for this Service. */
    readonly loadBalancer: slb.ApplicationLoadBalancer | nlb.LoadBalancer | undefined;
    readonly reused: ReusedLoadBalancer | undefined;
    readonly release: LoadBalancerRelease | undefined;
    readonly serverGroups: Readonly<Record<string, slb.ServerGroup | nlb.ServerGroup>>;
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    readonly listeners: Readonly<Record<string, slb.Listener | nlb.Listener>>;
    readonly listenerOptions: Readonly<Record<string, ListenerOptions>>;
    /** What the Service's status says. */
    readonly ingress: ResourceArgs<"status">["ingress"];
    /**
     * What must be there before the Service's status says that it is reachable. Whatever nothing else of the Service depends on is among it: a deletion begins with the status,
     * which notices that it reaches another cluster.
     */
    readonly ready: readonly pulumi.Resource[];
}

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

/** A load balancer that a program makes for several Services, as far as one of them uses it. */
export interface SharedInstance {
    /** Name that tells it from others of the program. */
    readonly name: string;
    readonly model: ClbLoadBalancer;
    readonly loadBalancer: slb.ApplicationLoadBalancer;
    readonly release: LoadBalancerRelease;
    readonly address: pulumi.Output<string>;
}

/** What a shared instance is called where an existing one has its id. Its own id would change with it, and be known too late. */
export function sharedName({ name }: Pick<SharedInstance, "name">): string {
    return `shared:${name}`;
}

/** Protections that deleting the Service switches off, for the preview to name. */
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
