import { STACK_ANNOTATION } from "../../provider/kubernetes/service/controller";
import * as pulumi from "@pulumi/pulumi";
import { isEdgeNode } from "../../provider/backend";
import type { NodeObject } from "../../provider/kubernetes";
import { otherClusterId, otherRegion, otherStack } from "../../provider/plan";
import { knownRegion } from "./account";
import type { AnyContext } from "./context";
import { clusterFailure } from "./failures";
import { stackMark } from "./hooks";

/**
 * Why a Service that is new to the stack cannot become the stack's: the cluster's nodes name another ACK cluster, or stand in another region, than the program says, or another
 * stack applies the Service.
 */
export function firstProblemsOf({
    live,
    known,
    cluster,
    outputs,
    account,
}: AnyContext): pulumi.Output<readonly string[] | undefined> {
    const said = outputs.fill({ facts: cluster.facts, account });
    return pulumi.all([live, known, said]).apply(async ([found, service, { facts, account: place }]) => {
        const read = [cluster.ackIds(), cluster.edgeView(service).then(({ nodes }) => nodes)] as const;
        const [ids, nodes] = await Promise.all(read).catch(
            (error: unknown): [readonly string[], readonly NodeObject[]] => {
                // The contract refuses a cluster that cannot be read.
                clusterFailure(error);
                return [[], []];
            },
        );
        const problems = [
            otherClusterId(facts.clusterId, ids),
            otherRegion(knownRegion(place.region), regionsOf(nodes)),
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

/** Label of nodes with their region. */
const REGION_LABEL = "topology.kubernetes.io/region";

/** Regions that nodes in the cloud name; a node at the edge may be a server of another one. */
function regionsOf(nodes: readonly NodeObject[]): readonly string[] {
    const inCloud = nodes.filter((node) => !isEdgeNode(node));
    return [...new Set(inCloud.flatMap(({ metadata }) => metadata.labels?.[REGION_LABEL] ?? []))];
}
