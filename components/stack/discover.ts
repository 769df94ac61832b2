/** What the configuration leaves to the cluster. */
import * as pulumi from "@pulumi/pulumi";
import { formatDiagnostics } from "../../provider/diagnostics";
import { ClusterError } from "../../provider/kubernetes";
import { contradictions, type Discovery, discoverCluster, withDiscovered } from "../../provider/kubernetes/discovery";
import type { ConfiguredCluster, StackCluster } from "./config";

/** How a cluster is asked. */
type Discover = (options: { readonly kubeconfig?: string; readonly context?: string }) => Promise<Discovery>;

/**
 * The facts of a cluster whose id is not configured: what the cluster says of itself, under what is configured.
 *
 * A stack that configures the id says all facts itself, so that an answer of the cluster never changes what such a stack does.
 *
 * @throws RunError if the cluster cannot be asked, says another thing than the configuration, or does not say its id
 */
export async function discoverFacts(
    configured: ConfiguredCluster,
    discover: Discover = discoverCluster,
): Promise<StackCluster> {
    const { kubeconfig, context, account } = configured;
    let discovery: Discovery;
    try {
        discovery = await discover({
            ...(typeof kubeconfig === "string" ? { kubeconfig } : {}),
            ...(context === undefined ? {} : { context }),
        });
    } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        throw new pulumi.RunError(
            `clusterId is not configured, and the cluster cannot be asked for it. ${error.message}\nRemedy: pulumi config set clusterId <id of the ACK cluster>, or make the cluster reachable.`,
        );
    }
    const region = account?.region ?? new pulumi.Config("alicloud").get("region");
    const wrong = contradictions(configured, discovery, typeof region === "string" ? { region } : {});
    if (wrong.length > 0) {
        throw new pulumi.RunError(
            `the configuration does not fit the cluster; nothing was changed.\n${formatDiagnostics(wrong)}`,
        );
    }
    const { clusterId, ...facts } = { ...configured, ...withDiscovered(configured, discovery) };
    if (clusterId === undefined) {
        throw new pulumi.RunError(
            "clusterId is not configured, and the cluster does not say it: it has no ConfigMap kube-system/ack-cluster-profile, or it may not be read. Remedy: pulumi config set clusterId <id of the ACK cluster>.",
        );
    }
    await pulumi.log.info(
        `of the cluster: ${Object.entries({ clusterId, ...discovery })
            .map(([fact, value]) => `${fact} ${String(value)}`)
            .join(", ")}`,
    );
    return { ...facts, clusterId };
}
