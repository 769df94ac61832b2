import * as pulumi from "@pulumi/pulumi";

/** How a program reaches a cluster, as it has said it. */
interface SpecifiedConnection {
    readonly kubeconfig: pulumi.Input<string> | undefined;
    readonly context: string | undefined;
}

/** Connections of a run by cluster id. */
const connections = new WeakMap<object, Map<string, SpecifiedConnection>>();
const withoutStack = {};

/**
 * Notes which cluster an id stands for in this run: names, ownership marks and providers carry the id, so that two clusters of one id would take each other's load balancers for their own.
 *
 * @throws RunError if the program has said another connection for the id
 */
export function noteClusterId(clusterId: string, connection: SpecifiedConnection): void {
    const run = pulumi.runtime.getStackResource() ?? withoutStack;
    const known = connections.get(run) ?? new Map<string, SpecifiedConnection>();
    connections.set(run, known);
    const first = known.get(clusterId) ?? connection;
    known.set(clusterId, first);
    if (first.kubeconfig !== connection.kubeconfig || first.context !== connection.context) {
        throw new pulumi.RunError(
            `two clusters of this program have the clusterId "${clusterId}" and different connections (kubeconfig or context): each would take the load balancers of the other for its own. ` +
                "Remedy: give each cluster the id that ACK shows for it; for one cluster, pass one Cluster object to all components.",
        );
    }
}
