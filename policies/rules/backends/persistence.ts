import { edgeDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";

/** The load balancer keeps a client on a node; with externalTrafficPolicy Cluster the node may still choose another pod. */
export const persistence: ResourceRule = {
    name: "backends-persistence",
    title: "Session persistence is set only where it takes effect: with externalTrafficPolicy Cluster, a client that stays on a node may still change pods.",
    group: "backends",
    severity: "low",
    level: "advisory",
    remedy: "Use externalTrafficPolicy Local, or backend-type eni.",
    source: edgeDocument("Choose an external traffic policy"),
    service: ({ externalTrafficPolicy, backendType, settings }) => {
        const kept = settings.stickySession === "on" || (settings.persistenceTimeout ?? 0) > 0;
        return kept && externalTrafficPolicy === "Cluster" && backendType === "ecs"
            ? [
                  "session persistence keeps a client on a node, but with externalTrafficPolicy Cluster the node may pass each connection to another pod",
              ]
            : [];
    },
};
