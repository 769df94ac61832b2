/** Rules about clusters with pods at the edge. */

import { z } from "zod";
import { edgeDocument } from "../../provider/schema/documents";
import { type Rule, resourceRule, when } from "../rule";
import { TEXT_LIST } from "../subjects";
import { selection, selects } from "../rule/config";

export const EDGE: readonly Rule[] = [
    // Pods at the edge (ENS) are reached through ECS instances in the cloud, on which no pod of the Service runs.
    resourceRule("edge-cluster-policy", "high", "mandatory", {
        title:
            "Services with pods at the edge (ENS) use externalTrafficPolicy Cluster: traffic reaches the pods " +
            "through nodes on which none of them runs.",
        remedy:
            "Set externalTrafficPolicy to Cluster, or reach the pods by address: an NLB with backend-type eni and " +
            "server-group-type Ip. Forwarding by ECS instances and an Express Connect circuit to the edge are " +
            "needed as well; they cannot be checked here.",
        source: edgeDocument("Expose edge pods via ECS forwarding"),
        options: z.object({
            ...selection("ack-loadbalancer.io/edge=ens").shape,
            clusters: TEXT_LIST.default([]).describe(
                "Ids of clusters in which the pods of all Services are at the edge.",
            ),
        }),
        service: (service, config) => {
            const edge = selects(config, service) || config.clusters.includes(service.facts.clusterId);
            // Pods that are backends by address need no node to forward to them.
            return when(
                edge && service.externalTrafficPolicy === "Local" && service.backendType === "ecs",
                "the pods are at the edge, and externalTrafficPolicy Local leaves out the ECS instances that " +
                    "forward to them",
            );
        },
    }),
];
