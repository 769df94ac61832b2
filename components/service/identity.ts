import * as pulumi from "@pulumi/pulumi";
import type { ResourceArgs } from "../../provider/resources";
import type { Account } from "../../provider/schema/account";
import type { ClusterIdentity } from "../../provider/service/objects";
import { knownRegion } from "./account";
import type { Cluster } from "./cluster";
import { clusterFailure } from "./failures";
import { defined } from "../../provider/schema/defined";

type Origin = NonNullable<ResourceArgs<"contract">["origin"]>;

/**
 * Identity of cluster and account, for the contract to compare with that of the first run.
 *
 * @param options.moves true if another identity is allowed
 * @param options.ofCluster true if the cluster is read too. Default true
 */
export function originOf(
    cluster: Cluster,
    account: Account,
    { moves, ofCluster = true }: { readonly moves: boolean; readonly ofCluster?: boolean },
): Origin {
    const region = knownRegion(account.region);
    return {
        ...(ofCluster ? { cluster: identityOf(cluster) } : {}),
        // Stored explicitly, because it may come from the environment.
        account: { ...account, ...defined({ region }) },
        ...(moves ? { moves } : {}),
        ...(ofCluster && cluster.discovered !== undefined ? { discovered: cluster.discovered } : {}),
        asks: !pulumi.runtime.isDryRun(),
    };
}

/** Undefined if the cluster cannot be read, which {@link identityFailure} reports. */
function identityOf(cluster: Cluster): pulumi.Output<ClusterIdentity | undefined> {
    return pulumi.output(cluster.connection.kubeconfig).apply(() =>
        cluster.identity().catch((error: unknown) => {
            clusterFailure(error);
            return undefined;
        }),
    );
}

/** Error of reading the cluster's identity, else undefined. */
export function identityFailure(cluster: Cluster): pulumi.Output<string | undefined> {
    return pulumi
        .output(cluster.connection.kubeconfig)
        .apply(() => cluster.identity().then(() => undefined, clusterFailure));
}

/** Builds the connection arguments of a dynamic resource: references, never contents. */
export function clusterArgs({ connection: { kubeconfig, context } }: Cluster): {
    kubeconfig?: pulumi.Input<string>;
    context?: string;
} {
    return defined({ kubeconfig, context });
}
