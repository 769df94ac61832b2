/** Cluster facts that a program or a stack does not state. */
import * as pulumi from "@pulumi/pulumi";
import { formatDiagnostics } from "../../provider/diagnostics";
import { ClusterError } from "../../provider/cluster";
import { contradictions, type Discovery, discoverCluster, withDiscovered } from "../../provider/cluster/discovery";
import { type DiscoveredFacts, pinnedFacts } from "../../provider/plan/identity";
import type { ClusterFacts } from "../../provider/schema/facts";
import { defaultRegion, knownRegion } from "./account";
import { requireArguments } from "./args";
import { CLUSTER_NAMES, type ClusterArgs } from "./cluster-args";
import { configuredConnection } from "./kubeconfig";

/** Arguments of a discovered cluster. None may be an Output: the cluster is read before anything is registered. */
export interface DiscoverArgs
    extends Omit<Partial<ClusterFacts>, "offline">, Pick<ClusterArgs, "name" | "context" | "account" | "sync"> {
    /** Path or contents of a kubeconfig. Default: `kubernetes:kubeconfig`, else the one that kubectl uses. */
    readonly kubeconfig?: string;
}

/** Cluster arguments with stated and observed facts. */
export interface DiscoveredCluster {
    readonly facts: DiscoverArgs & { readonly clusterId: string };
    /** Absent if the cluster did not answer. */
    readonly discovered?: DiscoveredFacts;
}

type Discover = (options: { readonly kubeconfig?: string; readonly context?: string }) => Promise<Discovery>;

/**
 * Returns the stated facts of a cluster, and observed ones for the others.
 *
 * Continues if the cluster does not answer but its id is stated; each Service that needs the cluster reports the error.
 *
 * @throws RunError if the cluster contradicts a stated fact, or if its id is neither stated nor observed
 */
export async function discoverFacts(
    args: DiscoverArgs,
    discover: Discover = discoverCluster,
): Promise<DiscoveredCluster> {
    requireArguments("Cluster", args, CLUSTER_NAMES);
    const { clusterId } = args;
    let discovery: Discovery;
    try {
        discovery = await discover(configuredConnection(args));
    } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        if (clusterId !== undefined) return { facts: { ...args, clusterId } };
        throw new pulumi.RunError(
            `clusterId is not configured, and the cluster cannot be asked for it. ${error.message}`,
        );
    }
    const named = args.account?.region;
    const region = named === undefined ? defaultRegion() : typeof named === "string" ? knownRegion(named) : undefined;
    const wrong = contradictions(args, discovery, region === undefined ? {} : { region });
    if (wrong.length > 0) {
        throw new pulumi.RunError(
            `the configuration does not fit the cluster; nothing was changed.\n${formatDiagnostics(wrong)}`,
        );
    }
    const facts = { ...args, ...withDiscovered(args, discovery) };
    if (facts.clusterId === undefined) {
        throw new pulumi.RunError(
            "clusterId is not configured, and the cluster does not say it: " +
                "it has no ConfigMap kube-system/ack-cluster-profile, or it may not be read. " +
                "Remedy: pulumi config set clusterId <id of the ACK cluster>.",
        );
    }
    return {
        facts: {
            ...facts,
            clusterId: facts.clusterId,
            ...(region === undefined && discovery.region !== undefined
                ? { account: { ...args.account, region: discovery.region } }
                : {}),
        },
        discovered: pinnedFacts(facts, args, discovery),
    };
}
