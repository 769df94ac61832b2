import { faqDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { clusterName, INTERCEPTED, isIntercepted } from "./bypass";

/** With Local, a node without a pod of the Service has nowhere to send what it intercepts. */
export const local: ResourceRule = {
    name: "access-local",
    title: "Nobody inside the cluster relies on the address of a load balancer whose Service is Local: only nodes with a pod of it answer.",
    group: "access",
    severity: "medium",
    level: "advisory",
    remedy: "Let callers inside use the Service's cluster name; or use externalTrafficPolicy Cluster; or, with Terway, Cluster and backend-type eni, which keeps the source address.",
    source: faqDocument("Connectivity issues"),
    loadBalancerTypes: INTERCEPTED,
    service: (service) =>
        service.externalTrafficPolicy === "Local" && isIntercepted(service)
            ? [
                  {
                      cause: "calls of its address from inside the cluster are answered by the calling node instead of the load balancer, and fail on nodes without a pod of the Service",
                      remedy: `let callers inside use ${clusterName(service)}, or set hostname`,
                  },
              ]
            : [],
};
