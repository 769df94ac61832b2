import * as pulumi from "@pulumi/pulumi";
import { otherClusterId, otherStack } from "../../provider/plan";
import { STACK_ANNOTATION } from "../../provider/kubernetes/service/service";
import type { AnyContext } from "./context";
import { clusterFailure } from "./failures";
import { stackMark } from "./hooks";

/** Why a Service that is new to the stack cannot become the stack's: the cluster's nodes name another ACK cluster than the program does, or another stack applies the Service. */
export function firstProblemsOf({ live, cluster, outputs }: AnyContext): pulumi.Output<readonly string[] | undefined> {
    return pulumi.all([live, outputs.fill(cluster.facts)]).apply(async ([found, { clusterId }]) => {
        const ids = await cluster.ackIds().catch((error: unknown) => {
            // The contract refuses a cluster that cannot be read.
            clusterFailure(error);
            return [];
        });
        const problems = [
            otherClusterId(clusterId, ids),
            otherStack(
                {
                    applying: found.live?.metadata.annotations?.[STACK_ANNOTATION],
                    serves: (found.live?.status?.loadBalancer?.ingress ?? []).length > 0,
                },
                stackMark(),
            ),
        ].filter((problem) => problem !== undefined);
        return problems.length === 0 ? undefined : problems;
    });
}
