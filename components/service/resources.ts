import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type {
    ListenerOptions,
    LoadBalancerRelease,
    ReusedLoadBalancer,
    ServerGroupBackends,
    ServiceContract,
    ResourceArgs,
} from "../../provider/resources";
import type { OwnershipOptions } from "./claim";
import type { InstanceHandle } from "./instance";
import type { ServiceHandle } from "./service";
import type { SharedInstance } from "./shared";

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
