import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { clusterName, INTERCEPTED, isIntercepted } from "./bypass";

/** What bypasses the load balancer meets neither its TLS nor its headers: a client that speaks TLS gets plain HTTP for an answer. */
export const http: ResourceRule = {
    name: "access-http",
    title: "Nobody inside the cluster relies on the address of a load balancer with HTTP or HTTPS listeners: TLS and headers are missing there.",
    group: "access",
    severity: "medium",
    level: "advisory",
    remedy: "Let callers inside use the Service's cluster name and speak HTTP, or set hostname.",
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
