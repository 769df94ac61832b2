/** Plan of a load balancer of either type: its terms for the contract, and what it creates. */
import type * as nlb from "@pulumi/alicloud/nlb";
import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type * as dynamic from "../../provider/resources";
import type { Adoption } from "../../provider/plan/adoption";
import type { ObservedLoadBalancer } from "../../provider/plan/observed";
import type { ReuseRequest } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import type { ReferenceArgs } from "./args";
import type { Cluster } from "../cluster/cluster";
import type { Marks } from "./marks";
import type { ResourceGroup } from "./resource-group";
import type { InstanceHandle, InstanceResources, SharedInstance } from "./instance";
import type { CreatedBackends } from "./backends";
import type { GroupHandle } from "./group";
import type { ServiceHandle } from "./service";

export interface LoadBalancerSpec<Desired> {
    /** Has stand-ins for a namespace and a name given as Outputs. */
    readonly service: Service;
    readonly desired: Desired;
    readonly references: ReferenceArgs;
    readonly cluster: Cluster;
    readonly resourceGroup: ResourceGroup;
    /** Immutable settings this run may change. */
    readonly allowReplacement: readonly string[];
    /** Existing resources to import instead of creating them. */
    readonly adoption: Adoption | undefined;
    /** Undefined without a reused instance. */
    readonly reuse: pulumi.Output<Reuse> | undefined;
    /** Instance created by the program for several Services. */
    readonly shared: SharedInstance | undefined;
}

/** Request of a Service to a reused instance, with the observed instance. */
export interface Reuse {
    readonly request: ReuseRequest;
    /** Absent if it does not exist. */
    readonly found?: ObservedLoadBalancer;
    /** UID of the cluster, for the instance's tag, absent if unknown. */
    readonly clusterUid?: string;
    /** Read error, which the contract reports once. */
    readonly failure?: string;
}

export interface LoadBalancerPlan {
    readonly terms: ContractTerms;
    /** Creates everything after contract and Service. */
    create(base: LoadBalancerBase): LoadBalancerResources;
}

/** Settings a contract compares with the established settings. */
export interface ContractTerms {
    /** Immutable settings, with references as their resolved ids. */
    readonly requested: Readonly<Record<string, pulumi.Input<string>>>;
    /** Values from the creation of the instance, used if the Service states none. Default none. */
    readonly initial?: Readonly<Record<string, pulumi.Input<string>>>;
    /** Settings that determine an immutable setting, unless it is only itself. Default none. */
    readonly askedBy?: Readonly<Record<string, readonly string[]>>;
}

export interface LoadBalancerBase {
    readonly contract: dynamic.ServiceContract;
    readonly handle: ServiceHandle;
    readonly marks: Marks;
    readonly dependsOn: readonly pulumi.Resource[];
    /**
     * Creates the backends of server groups.
     *
     * @param after resources to wait for. Some change the groups too, and a group takes one change at a time. Others
     *   lead to a user-managed group.
     */
    fill(groups: Readonly<Record<string, GroupHandle>>, after: readonly pulumi.Resource[]): CreatedBackends;
}

export interface LoadBalancerResources extends InstanceResources {
    readonly serverGroups: Readonly<Record<string, slb.ServerGroup | nlb.ServerGroup>>;
    readonly backends: Readonly<Record<string, dynamic.Backends>>;
    readonly listeners: Readonly<Record<string, slb.Listener | nlb.Listener>>;
    /** Undefined for an NLB, and without a listener. */
    readonly listenerOptions?: dynamic.ListenerOptions | undefined;
    readonly ingress: dynamic.ResourceArgs<"status">["ingress"];
    /** Further resources, on which none of the others depends. */
    readonly others: readonly pulumi.Resource[];
}

export interface ListenerBase extends Pick<LoadBalancerSpec<never>, "references" | "adoption"> {
    readonly instance: InstanceHandle;
    readonly groups: Readonly<Record<string, GroupHandle>>;
    readonly backends: Readonly<Record<string, dynamic.Backends>>;
    readonly owner: Marks["owner"];
    /** Resources to create before the first listener. */
    readonly dependsOn: readonly pulumi.Resource[];
}
