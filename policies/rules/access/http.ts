import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { clusterName, INTERCEPTED, isIntercepted } from "./bypass";

/** Traffic that bypasses the load balancer gets neither TLS termination nor added headers: a TLS client receives plain HTTP. */
export const http: ResourceRule = {
    name: "access-http",
    title: "Clients inside the cluster do not use the address of a load balancer with HTTP or HTTPS listeners: TLS termination and added headers are bypassed.",
    group: "access",
    severity: "medium",
    level: "advisory",
    remedy: "Use the Service's cluster DNS name and plain HTTP inside the cluster, or set hostname.",
    source: notesDocument("Access a LoadBalancer Service from within the cluster"),
    loadBalancerTypes: INTERCEPTED,
    service: (service) => {
        const { protocols } = service;
        if (!isIntercepted(service) || !protocols.some((protocol) => protocol === "http" || protocol === "https"))
            return [];
        const lost = protocols.includes("https")
            ? "without TLS being ended (curl: wrong version number) and without its headers"
            : "without its headers, such as X-Forwarded-For";
        return [
            {
                cause: `calls of its address from inside the cluster bypass the load balancer, ${lost}`,
                remedy: `let callers inside use ${clusterName(service)}, or set hostname`,
            },
        ];
    },
};
