import * as pulumi from "@pulumi/pulumi";
import type { DiscoveredFacts } from "../../provider/plan/identity";
import type { Account } from "../../provider/schema/account";
import { defined } from "../../provider/schema/defined";
import type { ClusterFacts } from "../../provider/schema/facts";
import { reportOnce } from "../run/failures";
import * as argument from "./args";
import type { ClusterReads } from "./reads";
import { noteCluster, readsOf } from "./registry";

/**
 * ACK cluster with Services to expose. Objects of one cluster share its reads, hooks and providers.
 *
 * Reads nothing until a Service needs it. An unreachable cluster fails the program before any change.
 */
export class Cluster {
    /** Name in the program. */
    readonly name: string;
    /** Facts that are known before the run. See {@link known}. */
    readonly facts: ClusterFacts;
    /** Ids as the program gives them. */
    readonly ids: argument.ClusterIds;
    /** Facts with the values of all ids. */
    readonly known: pulumi.Output<ClusterFacts>;
    readonly connection: argument.KubeconfigReference;
    readonly account: Account | undefined;
    /** Facts read from the cluster because the program does not state them, undefined without discovery. */
    readonly discovered: DiscoveredFacts | undefined;
    /** True if the sync controller updates backends between runs. */
    readonly sync: boolean;
    /** Reads of this run. */
    readonly reads: ClusterReads;
    /** Error if the cluster id, given as an Output, is already in use. */
    readonly idProblem: pulumi.Output<string | undefined> | undefined;

    /**
     * @param discovered set by {@link Cluster.discover} only
     * @throws RunError if another object of its id or name says otherwise, or with all arguments that are wrong
     */
    constructor(args: argument.ClusterArgs, discovered?: DiscoveredFacts) {
        const { name, facts, ids } = argument.readCluster(args);
        const { kubeconfig, context, account, sync = false } = args;
        this.name = name;
        this.facts = facts;
        this.ids = ids;
        this.known = pulumi.output(ids).apply((known): ClusterFacts => ({ ...facts, ...known }));
        this.account = account;
        this.discovered = discovered;
        this.sync = sync;
        const { clusterId, ...otherIds } = ids;
        const { clusterId: _, ...otherFacts } = facts;
        this.idProblem = noteCluster({
            name,
            clusterId,
            connection: { kubeconfig, context },
            facts: { ...otherFacts, ...otherIds },
        });
        this.connection = argument.kubeconfigReference(name, defined({ kubeconfig, context }));
        this.reads = readsOf(name, this.connection);
    }

    /**
     * Returns a cluster, with facts read from it that the program does not state: id, VPC, vSwitches, network plugin,
     * kube-proxy mode, Kubernetes version, and the region if account, configuration and environment have none.
     *
     * Source: ConfigMaps and DaemonSets of ACK in kube-system (docs/stack.md, Facts that are read from the cluster).
     *
     * @throws RunError if the cluster contradicts the program, or if its id is neither stated nor observed
     */
    static discover(args: argument.DiscoverArgs = {}): Promise<Cluster> {
        return reportOnce(argument.discoverFacts(args).then(({ facts, discovered }) => new Cluster(facts, discovered)));
    }
}

/** Builds the connection arguments of a dynamic resource: references, never contents. */
export function clusterArgs({ connection: { kubeconfig, context } }: Cluster): {
    kubeconfig?: pulumi.Input<string>;
    context?: string;
} {
    return defined({ kubeconfig, context });
}
