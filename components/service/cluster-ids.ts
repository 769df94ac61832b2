import * as pulumi from "@pulumi/pulumi";
import type { ClusterFacts } from "../../provider/schema/facts";
import { type GivenOutputs, isOutput } from "./outputs";
import { perRun } from "./run";

/** How a program reaches a cluster, as it has said it. */
interface SpecifiedConnection {
    readonly kubeconfig: pulumi.Input<string> | undefined;
    readonly context: string | undefined;
}

/** Connections of a run by cluster id. */
const connections = perRun(() => new Map<string, SpecifiedConnection>());

/**
 * Notes which cluster an id stands for in this run: names, ownership marks and providers carry the id, so that two clusters of one id would take each other's load balancers for their own.
 *
 * @returns why it cannot be, if the program has said another connection for the id
 */
export function noteClusterId(clusterId: string, connection: SpecifiedConnection): string | undefined {
    const known = connections();
    const first = known.get(clusterId) ?? connection;
    known.set(clusterId, first);
    return first.kubeconfig === connection.kubeconfig && first.context === connection.context
        ? undefined
        : `two clusters of this program have the clusterId "${clusterId}" and different connections (kubeconfig or context): each would take the load balancers of the other for its own. ` +
              "Remedy: give each cluster the id that ACK shows for it; for one cluster, pass one Cluster object to all components.";
}

/** Clusters of a run whose ids are Outputs, by name. */
const names = perRun(() => new Map<string, SpecifiedConnection & { readonly clusterId: unknown }>());

/**
 * Notes the name of a cluster whose id is an Output: its provider is called after it.
 *
 * @throws RunError if another cluster of the program has it
 */
export function noteClusterName(name: string, clusterId: unknown, connection: SpecifiedConnection): void {
    const { kubeconfig, context } = connection;
    const first = names().get(name) ?? { clusterId, kubeconfig, context };
    names().set(name, first);
    if (first.clusterId !== clusterId || first.kubeconfig !== kubeconfig || first.context !== context) {
        throw new pulumi.RunError(
            `two clusters of this program have an Output as clusterId and are called "${name}", as their providers are. Remedy: name them, new Cluster({ name: "…", clusterId }).`,
        );
    }
}

/**
 * Notes a cluster's id, or once it is known.
 *
 * @returns why it cannot be, where that is known later
 * @throws RunError if it cannot be
 */
export function noteId(
    { name, outputs, facts }: { readonly name: string; readonly outputs: GivenOutputs; readonly facts: ClusterFacts },
    clusterId: pulumi.Input<string>,
    connection: SpecifiedConnection,
): pulumi.Output<string | undefined> | undefined {
    if (isOutput(clusterId)) {
        noteClusterName(name, clusterId, connection);
        return outputs.fill(facts.clusterId).apply((id) => noteClusterId(id, connection));
    }
    const problem = noteClusterId(facts.clusterId, connection);
    if (problem !== undefined) {
        throw new pulumi.RunError(problem);
    }
    return undefined;
}
