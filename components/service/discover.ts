/** What a program or a stack leaves to the cluster. */
import * as pulumi from "@pulumi/pulumi";
import { formatDiagnostics } from "../../provider/diagnostics";
import { ClusterError } from "../../provider/kubernetes";
import { contradictions, type Discovery, discoverCluster, withDiscovered } from "../../provider/kubernetes/discovery";
import { type DiscoveredFacts, pinnedFacts } from "../../provider/plan";
import type { ClusterFacts } from "../../provider/schema/facts";
import { defaultRegion, knownRegion } from "./account";
import { requireArguments } from "./args";
import { CLUSTER_NAMES, type ClusterArgs } from "./cluster-args";
import { configuredConnection } from "./kubeconfig";

/** Arguments of a cluster that is asked for what they leave out. Nothing may be an Output: the cluster is asked before anything is registered. */
export interface DiscoverArgs
    extends
        Omit<Partial<ClusterFacts>, "offline">,
        Pick<ClusterArgs, "name" | "context" | "account" | "moveTo" | "sync"> {
    /** Kubeconfig, as a path or as its contents. Default: `kubernetes:kubeconfig`, else as kubectl finds it. */
    readonly kubeconfig?: string;
}

/** A cluster of which everything is known that can be. */
export interface DiscoveredCluster {
    readonly facts: DiscoverArgs & { readonly clusterId: string };
    /** Undefined if the cluster did not answer. */
    readonly discovered?: DiscoveredFacts;
}

/** How a cluster is asked. */
type Discover = (options: { readonly kubeconfig?: string; readonly context?: string }) => Promise<Discovery>;

/**
 * The facts of a cluster: what is stated, and what the cluster says of itself where nothing is.
 *
 * A cluster that does not answer is no obstacle where its id is stated: what needs the cluster says so itself, Service by Service.
 *
 * @throws RunError if the cluster says another thing than what is stated, or if its id is neither stated nor found
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
            "clusterId is not configured, and the cluster does not say it: it has no ConfigMap kube-system/ack-cluster-profile, or it may not be read. Remedy: pulumi config set clusterId <id of the ACK cluster>.",
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
