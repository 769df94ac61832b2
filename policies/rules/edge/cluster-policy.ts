import { z } from "zod";
import { edgeDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { selection, selects } from "../selection";

const OPTIONS = z.object({
    ...selection("ack-loadbalancer.io/edge=ens").shape,
    clusters: z
        .array(z.string())
        .default([])
        .describe("Ids of clusters all of whose Services have their pods at the edge."),
});

/** Pods at the edge (ENS) are reached through ECS instances in the cloud, on which none of the pods runs. */
export const clusterPolicy: ResourceRule<typeof OPTIONS> = {
    name: "edge-cluster-policy",
    title: "Services of edge (ENS) pods use externalTrafficPolicy Cluster: traffic reaches them through nodes on which none of them runs.",
    group: "edge",
    severity: "high",
    level: "mandatory",
    remedy: "Set externalTrafficPolicy to Cluster, or reach the pods by address: an NLB with backend-type eni and server-group-type Ip. Forwarding by ECS instances and an Express Connect circuit to the edge are needed as well; no program can see them.",
    source: edgeDocument("Expose edge pods via ECS forwarding"),
    options: OPTIONS,
    service: (service, config) => {
        const edge = selects(config, service) || config.clusters.includes(service.facts.clusterId);
        // Pods that are reached by their own addresses need nobody to forward to them.
        return edge && service.externalTrafficPolicy === "Local" && service.backendType === "ecs"
            ? [
                  "the pods are at the edge, and externalTrafficPolicy Local leaves out the ECS instances that forward to them",
              ]
            : [];
    },
};
