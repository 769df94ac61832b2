import * as pulumi from "@pulumi/pulumi";
import type { ResourceArgs } from "../../provider/resources";
import type { Account } from "../../provider/schema/account";
import type { ClusterIdentity } from "../../provider/kubernetes";
import { knownRegion } from "./account";
import type { Cluster } from "./cluster";
import { clusterFailure } from "./failures";
import { defined } from "../../provider/schema/defined";

type Origin = NonNullable<ResourceArgs<"contract">["origin"]>;

/**
 * Where this run reads and writes, for the contract to compare with what it remembers.
 *
 * @param options.ofCluster whether the cluster is read too. Default true.
 */
export function originOf(
    cluster: Cluster,
    account: Account,
    { ofCluster = true }: { readonly ofCluster?: boolean } = {},
): Origin {
    const region = knownRegion(account.region);
    return {
        ...(ofCluster ? { cluster: identityOf(cluster) } : {}),
        // The region in so many words, so that one that comes from the environment is remembered too.
        account: { ...account, ...defined({ region }) },
        ...defined({ moveTo: cluster.moveTo }),
        ...(ofCluster && cluster.discovered !== undefined ? { discovered: cluster.discovered } : {}),
        asks: !pulumi.runtime.isDryRun(),
    };
}

/** Undefined for a cluster that cannot be read, which {@link identityFailure} has refused. */
function identityOf(cluster: Cluster): pulumi.Output<ClusterIdentity | undefined> {
    return pulumi.output(cluster.connection.kubeconfig).apply(() =>
        cluster.identity().catch((error: unknown) => {
            clusterFailure(error);
            return undefined;
        }),
    );
}

/** Why the cluster does not say which it is; undefined if it does. */
export function identityFailure(cluster: Cluster): pulumi.Output<string | undefined> {
    return pulumi
        .output(cluster.connection.kubeconfig)
        .apply(() => cluster.identity().then(() => undefined, clusterFailure));
}

/** The cluster as arguments of a dynamic resource: references alone. */
export function clusterArgs({ connection: { kubeconfig, context } }: Cluster): {
    kubeconfig?: pulumi.Input<string>;
    context?: string;
} {
    return {
        ...defined({ kubeconfig, context }),
    };
}
