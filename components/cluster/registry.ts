/** Clusters of a run. Objects of one cluster share its reads, hooks and providers, and have to agree. */
import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { once } from "../../provider/schema/defined";
import { findOutputs, isOutput } from "../run/outputs";
import { perRun } from "../run/run";
import type { ClusterArgs, KubeconfigReference } from "./args";
import { ClusterReads } from "./reads";

/** A cluster as one object of the program states it. */
interface Stated {
    readonly name: string;
    readonly clusterId: pulumi.Input<string>;
    readonly connection: Pick<ClusterArgs, "kubeconfig" | "context">;
    /** Facts and further ids, some of which are Outputs. */
    readonly facts: object;
}

const clustersOfRun = perRun(() => ({
    /** With all facts that objects of the id state. */
    byId: new Map<string, Stated>(),
    byName: new Map<string, Stated>(),
    reads: new Map<string, ClusterReads>(),
}));

/**
 * Records a cluster by its name, and by its id as soon as that is known: two clusters with the same id would take each
 * other's load balancers, and providers and hooks have the name of their cluster.
 *
 * @returns the problem of an id that is an Output, resolved later
 * @throws RunError if another object of that name or id says otherwise
 */
export function noteCluster(cluster: Stated): pulumi.Output<string | undefined> | undefined {
    const { name, clusterId } = cluster;
    const { byId, byName } = clustersOfRun();
    const noteId = (id: string): string | undefined => {
        const first = byId.get(id) ?? cluster;
        const problem = differences(id, first, cluster);
        if (problem === undefined) byId.set(id, { ...first, facts: { ...cluster.facts, ...first.facts } });
        return problem;
    };
    const first = once(byName, name, () => cluster);
    const problem = otherOfName(first, cluster) ?? (isOutput(clusterId) ? undefined : noteId(clusterId));
    if (problem !== undefined) throw new pulumi.RunError(problem);
    return isOutput(clusterId) ? pulumi.output(clusterId as pulumi.Output<string>).apply(noteId) : undefined;
}

/** Returns the reads of a cluster, which its objects share. */
export const readsOf = (name: string, connection: KubeconfigReference): ClusterReads =>
    once(clustersOfRun().reads, name, () => new ClusterReads(name, connection));

function otherOfName(first: Stated, { name, clusterId, connection }: Stated): string | undefined {
    if (first.clusterId === clusterId && (!isOutput(clusterId) || isSameConnection(first.connection, connection)))
        return undefined;
    const ids = [first.clusterId, clusterId].map((id) => (isOutput(id) ? "an Output" : `"${id}"`));
    return (
        `two clusters of this program are called "${name}", as their providers are, ` +
        `and have ${ids.join(" and ")} as clusterId. Remedy: name them, new Cluster({ name: "…", clusterId }).`
    );
}

function differences(id: string, first: Stated, second: Stated): string | undefined {
    if (!isSameConnection(first.connection, second.connection))
        return (
            `two clusters of this program have the clusterId "${id}" and different connections ` +
            "(kubeconfig or context): each would take the load balancers of the other for its own. " +
            "Remedy: give each cluster the id that ACK shows for it; " +
            "for one cluster, pass one Cluster object to all components."
        );
    const facts = contradicting(first.facts, second.facts);
    if (facts.length === 0) return undefined;
    const names = first.name === second.name ? "" : ` (${first.name} and ${second.name})`;
    return (
        `two clusters of this program${names} have the clusterId "${id}" and contradict each other: ` +
        `${facts.join("; ")}. Remedy: state each fact of a cluster once, or everywhere alike.`
    );
}

const isSameConnection = (first: Stated["connection"], second: Stated["connection"]): boolean =>
    first.kubeconfig === second.kubeconfig && first.context === second.context;

/** Returns the facts that both state otherwise. Values that are Outputs are not compared. */
function contradicting(first: object, second: object): string[] {
    const others = new Map<string, unknown>(Object.entries(second));
    return Object.entries(first).flatMap(([fact, value]: [string, unknown]) => {
        const other = others.get(fact);
        const isCompared = value !== undefined && other !== undefined && findOutputs([value, other]).length === 0;
        return !isCompared || isDeepStrictEqual(value, other)
            ? []
            : [`${fact} is ${JSON.stringify(value)} and ${JSON.stringify(other)}`];
    });
}
