import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { clusterName, INTERCEPTED, isIntercepted } from "./bypass";

/** Traffic that bypasses the load balancer lacks the header that the backend expects. */
export const proxyProtocol: ResourceRule = {
    name: "access-proxy-protocol",
    title: "Clients inside the cluster do not use the address of a load balancer with Proxy Protocol: the header is missing.",
    group: "access",
    severity: "medium",
    level: "advisory",
    remedy: "Set hostname, so that calls from inside the cluster reach the load balancer, or use another port without Proxy Protocol inside the cluster.",
    source: notesDocument("Access a LoadBalancer Service from within the cluster"),
    loadBalancerTypes: INTERCEPTED,
    service: (service) =>
        service.settings.proxyProtocol === "on" && isIntercepted(service)
            ? [
                  {
                      cause: "calls of its address from inside the cluster bypass the load balancer and come without the Proxy Protocol header that the backends expect",
                      remedy: `set hostname, or let callers inside use ${clusterName(service)} on a port without Proxy Protocol`,
                  },
              ]
            : [],
};
