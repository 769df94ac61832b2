/** What is known about a cluster besides its Services. Plain data; nothing in here is looked up. */

import type { Issue } from "../diagnostics/issue";
import { isCidr } from "./cidr";
import { NEWEST_CCM, parseCcmVersion, parseKubernetesVersion } from "./versions";

/** The container network plug-in of an ACK cluster. */
export type NetworkPlugin = "flannel" | "terway" | "terway-edge";

const NETWORK_PLUGINS: readonly NetworkPlugin[] = ["flannel", "terway", "terway-edge"];

/** `edge`: an ACK Edge cluster, which has nodes outside the cloud as well. */
export type ClusterType = "ack" | "edge";

const CLUSTER_TYPES: readonly ClusterType[] = ["ack", "edge"];

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
     * Absent: not said. Nodes at the edge are known by themselves; this makes the rest of the facts be checked for what an ACK Edge cluster can be.
     * Source: "Use LoadBalancer Services to expose applications in ACK Edge clusters", prerequisites.
     */
    readonly clusterType?: ClusterType;
    /**
     * Cloud and edge are joined as the documents ask for it: by an Express Connect circuit and, where nodes are the backends, by ECS instances that forward to the edge. Nothing
     * of it can be looked up. Default false: Services with pods at the edge get a reminder.
     */
    readonly edgeLink?: boolean;
    /** Absent counts as a plug-in without pod ENIs, so that backends are nodes unless an annotation says otherwise. */
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
     * Address ranges of the VPC, for example `["10.0.0.0/8"]`. Pods outside them cannot be attached directly; they are passed over, and the run says so.
     * Ranges of one IP version say nothing about pods of the other. Absent: a pod without an interface of the VPC is an error.
     */
    readonly vpcCidrs?: readonly string[];
    /** vSwitches of the control plane, in their order. One of them is taken for an internal load balancer whose Service names none. Absent: such a Service is refused. */
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
    /**
     * Accept values that the Alibaba Cloud documents mask (`vsw-bp1****`, `192.168.x.x`, `<your-acl-id>`). Default: false.
     * Meant for reading the documents' own examples; such a value names nothing that exists. `${…}` is refused in any case.
     */
    readonly allowMaskedIds?: boolean;
}

/** The node port range of an API server that was given no other. */
export const DEFAULT_NODE_PORTS = { from: 30000, to: 32767 } as const;

/** The Cloud Controller Manager version that the facts ask to follow, the newest known one if they name none. */
export const compatibilityOf = (facts: Pick<ClusterFacts, "compatibility">): string =>
    facts.compatibility ?? NEWEST_CCM;

/** What is wrong with the facts themselves. Only what the reading rules rely on is checked. */
export function checkFacts(facts: ClusterFacts): Issue[] {
    const issues: Issue[] = [];
    const refuse = (path: keyof ClusterFacts, message: string, remedy: string): void => {
        issues.push({ code: "cluster-facts", severity: "error", subject: "cluster facts", path, message, remedy });
    };
    if (parseCcmVersion(compatibilityOf(facts)) === undefined) {
        refuse(
            "compatibility",
            `"${facts.compatibility}" is not a Cloud Controller Manager version`,
            `write it as kubectl shows it, for example ${NEWEST_CCM} or v1.9.3.164-g2105d2e-aliyun`,
        );
    }
    if (facts.clusterType !== undefined && !CLUSTER_TYPES.includes(facts.clusterType)) {
        refuse(
            "clusterType",
            `"${facts.clusterType}" is no type of cluster`,
            `write one of ${CLUSTER_TYPES.join(", ")}`,
        );
    }
    if (facts.networkPlugin !== undefined && !NETWORK_PLUGINS.includes(facts.networkPlugin)) {
        refuse(
            "networkPlugin",
            `"${facts.networkPlugin}" is no network plug-in of ACK`,
            `write one of ${NETWORK_PLUGINS.join(", ")}`,
        );
    } else if (facts.clusterType === "edge" && facts.networkPlugin === "terway") {
        refuse(
            "networkPlugin",
            "an ACK Edge cluster runs Terway Edge or Flannel (VXLAN), not Terway",
            "write terway-edge or flannel, as the console shows it",
        );
    }
    if (facts.kubernetesVersion !== undefined && parseKubernetesVersion(facts.kubernetesVersion) === undefined) {
        refuse(
            "kubernetesVersion",
            `"${facts.kubernetesVersion}" is not a Kubernetes version`,
            "write it as kubectl version shows it, for example v1.34.1",
        );
    }
    if (facts.createdAt !== undefined && Number.isNaN(Date.parse(facts.createdAt))) {
        refuse(
            "createdAt",
            `"${facts.createdAt}" is not a date`,
            "write an ISO 8601 date, for example 2024-05-17T08:00:00Z",
        );
    }
    const range = facts.nodePortRange;
    if (
        range !== undefined &&
        !(
            Number.isInteger(range.from) &&
            Number.isInteger(range.to) &&
            range.from >= 1 &&
            range.from <= range.to &&
            range.to <= 65535
        )
    ) {
        refuse(
            "nodePortRange",
            `${range.from}-${range.to} is not a range of ports`,
            "give two whole numbers from 1 to 65535, the smaller one first",
        );
    }
    for (const cidr of facts.vpcCidrs ?? []) {
        if (!isCidr(cidr))
            refuse(
                "vpcCidrs",
                `"${cidr}" is not an address range`,
                "write the VPC's ranges in CIDR notation, for example 10.0.0.0/8",
            );
    }
    return issues;
}
