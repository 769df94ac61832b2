import type * as pulumi from "@pulumi/pulumi";
import type { Adoption } from "../provider/plan/adoption";
import type { AdoptArgs } from "./adoption/find";
import type { Cluster } from "./cluster/cluster";
import { anyOf, type NamesOf } from "./run/arguments";
import { REFERENCE_NAMES, SERVICE_NAMES, type ServiceSource } from "./service/args";
import type { SharedLoadBalancer } from "./shared-load-balancer";

/** Arguments of `ServiceLoadBalancer`. */
export interface ServiceLoadBalancerArgs extends ServiceSource {
    /** Cluster of the Service. */
    readonly cluster: Cluster;
    /**
     * Another tool (kubectl, Helm, Argo CD) applies the Service, so only its load balancer and status are managed.
     * Default false.
     */
    readonly follow?: boolean;
    /**
     * Create-only settings that may change this time, at the price of a new instance and address. "identity" allows
     * another cluster, account or region than the first. Objects that were made there stay. Default none.
     */
    readonly allowReplacement?: readonly string[];
    /**
     * Allows a vServer group to become empty. Default false: an empty answer of the cluster keeps the present
     * backends.
     */
    readonly allowEmpty?: boolean;
    /**
     * Instance that the program created for several Services. Default: an instance for this Service, or the instance
     * that it names.
     */
    readonly loadBalancer?: SharedLoadBalancer;
    /** Region of the load balancer. Default: that of the cluster's account. */
    readonly region?: string;
    /** Existing load balancer to adopt, as returned by `findAdoption`. Needs `follow`. Default: none. */
    readonly adopt?: Adoption;
    /**
     * Keeps the load balancer, and hands the Service to the Cloud Controller Manager, when both leave the stack. Set
     * it, run, then remove the component from the program and run again. Default false.
     */
    readonly handBack?: boolean;
}

/** Arguments of `ServiceLoadBalancer.forExisting`. */
export interface ExistingServiceArgs extends Omit<ServiceLoadBalancerArgs, "manifest" | "service" | "follow"> {
    /** Namespace of a Service that is in the cluster. */
    readonly namespace: pulumi.Input<string>;
    /** Name of a Service that is in the cluster. */
    readonly name: pulumi.Input<string>;
}

/** Arguments of `ServiceLoadBalancer.adopt`. */
export interface AdoptServiceArgs extends ExistingServiceArgs, AdoptArgs {
    /** Desired Service, as YAML text or an object. Default: the Service of the cluster. */
    readonly manifest?: string | object;
}

/** Settings of a Service, and its further arguments. */
const COMMON_NAMES: NamesOf<Omit<ServiceLoadBalancerArgs, "manifest" | "service" | "follow">> = {
    ...anyOf("settings", "loadBalancerType", "cluster", "region", "loadBalancer"),
    ...anyOf("allowReplacement", "allowEmpty", "adopt", "handBack"),
    references: REFERENCE_NAMES,
};

export const SERVICE_LOAD_BALANCER_NAMES: NamesOf<ServiceLoadBalancerArgs> = {
    ...COMMON_NAMES,
    ...anyOf("manifest", "follow"),
    service: SERVICE_NAMES,
};

export const EXISTING_SERVICE_NAMES: NamesOf<ExistingServiceArgs> = { ...COMMON_NAMES, ...anyOf("namespace", "name") };

export const ADOPT_SERVICE_NAMES: NamesOf<AdoptServiceArgs> = {
    ...EXISTING_SERVICE_NAMES,
    ...anyOf("manifest", "loadBalancerId", "allowChanges"),
};
