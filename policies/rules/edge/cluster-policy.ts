import { edgeDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { selection, selects } from "../selection";

/** Pods at the edge (ENS) are reached through ECS instances in the cloud, on which none of the pods runs. */
export const clusterPolicy: ResourceRule = {
    name: "edge-cluster-policy",
    title: "Services of edge (ENS) pods use externalTrafficPolicy Cluster: traffic reaches them through nodes on which none of them runs.",
    group: "edge",
    severity: "high",
    level: "mandatory",
    remedy: "Set externalTrafficPolicy to Cluster, or reach the pods by address: an NLB with backend-type eni and server-group-type Ip. Forwarding by ECS instances and an Express Connect circuit to the edge are needed as well; no program can see them.",
    source: edgeDocument("Expose edge pods via ECS forwarding"),
    options: {
        ...selection("ack-loadbalancer.io/edge=ens"),
        clusters: {
            type: "array",
            items: { type: "string" },
            default: [],
            description: "Ids of clusters all of whose Services have their pods at the edge.",
        },
    },
    service: (service, config) => {
        const edge = selects(config, service) || (config["clusters"] as string[]).includes(service.facts.clusterId);
        // Pods that are reached by their own addresses need nobody to forward to them.
        return edge && service.externalTrafficPolicy === "Local" && service.backendType === "ecs"
            ? [
                  "the pods are at the edge, and externalTrafficPolicy Local leaves out the ECS instances that forward to them",
              ]
            : [];
    },
};
