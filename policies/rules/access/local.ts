import { faqDocument } from "../../../provider/schema/documents";
import { insideRemedy } from "../../../provider/kubernetes/service/inside";
import type { ResourceRule } from "../../rule";
import { clusterName, INTERCEPTED, isIntercepted } from "./bypass";

/** With externalTrafficPolicy Local, a node without a pod of the Service drops what it intercepts. */
export const local: ResourceRule = {
    name: "access-local",
    title: "Clients inside the cluster do not use the address of a load balancer whose Service has externalTrafficPolicy Local: only nodes with a pod of the Service answer.",
    group: "access",
    severity: "medium",
    level: "advisory",
    remedy: "Use the Service's cluster DNS name inside the cluster; or use externalTrafficPolicy Cluster; or, with Terway, Cluster and backend-type eni, which preserves the source address.",
    source: faqDocument("Connectivity issues"),
    loadBalancerTypes: INTERCEPTED,
    service: (service) =>
        service.externalTrafficPolicy === "Local" && isIntercepted(service)
            ? [
                  {
                      cause: "calls of its address from inside the cluster are answered by the calling node instead of the load balancer, and fail on nodes without a pod of the Service",
                      remedy: insideRemedy(clusterName(service)),
                  },
              ]
            : [],
};
