/** Facts about a cluster besides its Services. Plain data. */

import { CCM_SINCE, isAtLeast, NEWEST_CCM, parseKubernetesVersion } from "./versions";

/** The container network plug-in of an ACK cluster. */
export type NetworkPlugin = (typeof NETWORK_PLUGINS)[number];

export const NETWORK_PLUGINS = ["flannel", "terway", "terway-edge"] as const;

/** `edge`: an ACK Edge cluster, which has nodes outside the cloud as well. */
export type ClusterType = (typeof CLUSTER_TYPES)[number];

export const CLUSTER_TYPES = ["ack", "edge"] as const;

/** The facts about a cluster that decide how its Services are read. Everything but the id may be left out. */
export interface ClusterFacts {
    /** ACK cluster id, for example `c82e6987e2961451182edacd74faf****`, which is part of names in the cloud. */
    readonly clusterId: string;
    /**
     * Cloud Controller Manager version to follow, for example `v2.13.0` or `v1.9.3.164-g2105d2e-aliyun`. It decides
     * which annotations exist and which defaults hold. Default: {@link NEWEST_CCM}.
     */
    readonly compatibility?: string;
    /**
     * With `edge`, the other facts are checked against what an ACK Edge cluster can be. Absent: not known. Source: "Use
     * LoadBalancer Services to expose applications in ACK Edge clusters", prerequisites.
     */
    readonly clusterType?: ClusterType;
    /**
     * True if cloud and edge are connected as documented: by an Express Connect circuit and, with nodes as backends, by
     * ECS instances that forward to the edge. Default false: Services with pods at the edge get a reminder.
     */
    readonly edgeLink?: boolean;
    /** Absent: a plug-in without pod ENIs. Backends are nodes then, unless an annotation sets another type. */
    readonly networkPlugin?: NetworkPlugin;
    /** Creation date of the cluster, ISO 8601. Terway clusters before 2020-08-10 use nodes as backends by default. */
    readonly createdAt?: string;
    /** For example `v1.34.1`. Absent: rules that need it are not applied. */
    readonly kubernetesVersion?: string;
    /** Absent: rules that need it are not applied. */
    readonly kubeProxyMode?: "iptables" | "ipvs";
    /** The VPC of the cluster, for example `vpc-bp1…`. */
    readonly vpcId?: string;
    /**
     * Address ranges of the VPC, for example `["10.0.0.0/8"]`. Pods outside them cannot be attached directly, and are
     * skipped with a warning. Ranges of an IP version do not restrict pods of the other. Absent: a pod without an
     * interface of the VPC is an error.
     */
    readonly vpcCidrs?: readonly string[];
    /**
     * vSwitches of the control plane, in their order. An internal load balancer whose Service names none gets one of
     * them. Absent: such a Service is refused, unless {@link offline}.
     */
    readonly vswitches?: readonly string[];
    /**
     * Resource group of the cluster, for example `rg-aekz…`. From compatibility v2.9.1 on, load balancers of Services
     * that name none are created in it, with their server groups and security groups. Default: the account's default
     * resource group. Source: release notes of the Cloud Controller Manager, v2.9.1.
     */
    readonly resourceGroupId?: string;
    /** CLB instances that no Service may reuse. Default: none. Those made by a cluster are refused anyway. */
    readonly deniedLoadBalancers?: readonly string[];
    /**
     * The node port range of the API server, both ends included. Default: not known, and the API server decides. A node
     * port outside 30000 to 32767 gives a warning.
     */
    readonly nodePortRange?: { readonly from: number; readonly to: number };
    /** True if only files are read: what the cluster decides is a warning. Default false. */
    readonly offline?: boolean;
}

export const DEFAULT_NODE_PORTS = { from: 30000, to: 32767 } as const;

/** Default ports of a node's own connections. Source: "FAQ about Services", How do I configure the NodePort range? */
export const LOCAL_PORTS = { from: 32768, to: 60999 } as const;

/** Returns the Cloud Controller Manager version to follow. */
export const compatibilityOf = (facts: Pick<ClusterFacts, "compatibility">): string =>
    facts.compatibility ?? NEWEST_CCM;

/** True if the Cloud Controller Manager version to follow has a behaviour. */
export const follows = (facts: Pick<ClusterFacts, "compatibility">, behaviour: keyof typeof CCM_SINCE): boolean =>
    isAtLeast(compatibilityOf(facts), CCM_SINCE[behaviour]);

/** True if the cluster is known to run an older Kubernetes than 1.`minor`. */
export function isKubernetesBelow({ kubernetesVersion = "" }: ClusterFacts, minor: number): boolean {
    const [major, own] = parseKubernetesVersion(kubernetesVersion) ?? [1, Infinity];
    return major < 1 || (major === 1 && own < minor);
}
