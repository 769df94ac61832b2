/** What is known about a cluster besides its Services. Plain data; nothing in here is looked up. */

import { NEWEST_CCM } from "./versions";

/** The container network plug-in of an ACK cluster. */
export type NetworkPlugin = (typeof NETWORK_PLUGINS)[number];

/** Every {@link NetworkPlugin}. */
export const NETWORK_PLUGINS = ["flannel", "terway", "terway-edge"] as const;

/** `edge`: an ACK Edge cluster, which has nodes outside the cloud as well. */
export type ClusterType = (typeof CLUSTER_TYPES)[number];

/** Every {@link ClusterType}. */
export const CLUSTER_TYPES = ["ack", "edge"] as const;

/** The facts about a cluster that decide how its Services are read. Everything but the id may be left out. */
export interface ClusterFacts {
    /** The ACK cluster id, for example `c82e6987e2961451182edacd74faf****`. It is part of the names of listeners and server groups. */
    readonly clusterId: string;
    /**
     * The Cloud Controller Manager version whose behaviour to follow, for example `v2.13.0` or `v1.9.3.164-g2105d2e-aliyun`.
     * It decides which annotations exist and which defaults hold. Default: {@link NEWEST_CCM}.
     */
    readonly compatibility?: string;
    /**
     * Absent: not known. Nodes at the edge are known by themselves; this makes the rest of the facts be checked for what an ACK Edge cluster can be.
     * Source: "Use LoadBalancer Services to expose applications in ACK Edge clusters", prerequisites.
     */
    readonly clusterType?: ClusterType;
    /**
     * Cloud and edge are joined as the documents ask for it: by an Express Connect circuit and, where nodes are the backends, by ECS instances that forward to the edge. Nothing
     * of it can be looked up. Default false: Services with pods at the edge get a reminder.
     */
    readonly edgeLink?: boolean;
    /** Absent counts as a plug-in without pod ENIs, so that backends are nodes unless an annotation sets another type. */
    readonly networkPlugin?: NetworkPlugin;
    /** When the cluster was created, as an ISO 8601 date. Terway clusters created before 2020-08-10 use nodes as backends by default. */
    readonly createdAt?: string;
    /** For example `v1.34.1`. Absent: rules that need it are not applied. */
    readonly kubernetesVersion?: string;
    /** Absent: rules that need it are not applied. */
    readonly kubeProxyMode?: "iptables" | "ipvs";
    /** The VPC of the cluster, for example `vpc-bp1…`. */
    readonly vpcId?: string;
    /**
     * Address ranges of the VPC, for example `["10.0.0.0/8"]`. Pods outside them cannot be attached directly; they are skipped with a warning.
     * Ranges of one IP version do not restrict pods of the other. Absent: a pod without an interface of the VPC is an error.
     */
    readonly vpcCidrs?: readonly string[];
    /** vSwitches of the control plane, in their order. One of them is taken for an internal load balancer whose Service names none. Absent: such a Service is refused, unless {@link offline}. */
    readonly vswitches?: readonly string[];
    /**
     * Resource group of the cluster, for example `rg-aekz…`. From compatibility v2.9.1 on, load balancers of Services that name none are made in it, and server groups and security
     * groups with them. Default: the account's default resource group. Source: release notes of the Cloud Controller Manager, v2.9.1.
     */
    readonly resourceGroupId?: string;
    /** CLB instances that no Service may reuse, such as that of the API server. Default: none; those that a cluster has made are refused anyway. */
    readonly deniedLoadBalancers?: readonly string[];
    /** The node port range of the API server, both ends included. Default: 30000 to 32767. */
    readonly nodePortRange?: { readonly from: number; readonly to: number };
    /** Files are read and no cluster is asked: what the cluster alone decides is a warning. Default false. */
    readonly offline?: boolean;
}

/** The node port range of an API server that was given no other. */
export const DEFAULT_NODE_PORTS = { from: 30000, to: 32767 } as const;

/** The ports that a node uses for its own connections (net.ipv4.ip_local_port_range), where nobody has changed them. Source: "FAQ about Services", How do I configure the NodePort range? */
export const LOCAL_PORTS = { from: 32768, to: 60999 } as const;

/** The Cloud Controller Manager version that the facts ask to follow, the newest known one if they name none. */
export const compatibilityOf = (facts: Pick<ClusterFacts, "compatibility">): string =>
    facts.compatibility ?? NEWEST_CCM;
