import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { clusterName, INTERCEPTED, isIntercepted } from "./bypass";

/** What bypasses the load balancer does not get the header that the backend waits for. */
export const proxyProtocol: ResourceRule = {
    name: "access-proxy-protocol",
    title: "Nobody inside the cluster relies on the address of a load balancer with Proxy Protocol: the header is missing there.",
    group: "access",
    severity: "medium",
    level: "advisory",
    remedy: "Set hostname, so that calls from inside go through the load balancer, or give callers inside another port without Proxy Protocol.",
    source: notesDocument("Access a LoadBalancer Service from within the cluster"),
    loadBalancerTypes: INTERCEPTED,
    service: (service) =>
        service.settings.proxyProtocol === "on" && isIntercepted(service)
            ? [
                  {
                      cause: "calls of its address from inside the cluster bypass the load balancer and come without the Proxy Protocol header that the backends expect",
                      remedy: `set hostname, or let callers inside use ${clusterName(service)} on a port that speaks without the header`,
                  },
              ]
            : [],
};
