/**
 * Rules about calls from inside the cluster to the address of a load balancer.
 *
 * kube-proxy intercepts them: the node answers in place of the load balancer. With a host name in the Service's status
 * nothing is intercepted. The status of a Service with an NLB always holds a DNS name.
 */

import { insideRemedy } from "../../provider/service/service";
import { clbDocument, faqDocument, notesDocument } from "../../provider/schema/documents";
import type { LoadBalancerType } from "../../provider/schema/load-balancer-type";
import { type Rule, resourceRule, when } from "../rule";
import type { ServiceSubject } from "../subjects";
import { diagnosticRule } from "./annotations";

const INTERCEPTED: readonly LoadBalancerType[] = ["clb"];

const FROM_INSIDE = notesDocument("Access a LoadBalancer Service from within the cluster");

/** Returns the name by which pods reach a Service without its load balancer. */
const clusterName = (service: ServiceSubject): string =>
    `${service.name.split("/").reverse().join(".")}.svc.cluster.local`;

/**
 * Reports whether the cluster answers for the address. That is false also for a host name that cannot be read, since
 * its author means to have a host name.
 */
const isIntercepted = ({ settings, diagnostics }: ServiceSubject): boolean =>
    settings.hostname === undefined && !diagnostics.some(({ setting }) => setting === "hostname");

export const ACCESS: readonly Rule[] = [
    // The load balancer, which the name leads to, cannot send traffic back to the node that it came from.
    diagnosticRule("access-hostname", "low", "advisory", {
        title: "A Service with TCP or UDP listeners whose pods call their own load balancer does not set hostname.",
        remedy:
            "Use HTTP or HTTPS listeners, or keep clients and backends on different nodes. The name itself has to " +
            "be bought and bound to the address by its owner.",
        source: clbDocument("Set a hostname for the Service"),
        loadBalancerTypes: INTERCEPTED,
    }),
    // A TLS client receives plain HTTP.
    resourceRule("access-http", "medium", "advisory", {
        title:
            "Clients inside the cluster do not use the address of a load balancer with HTTP or HTTPS listeners: " +
            "TLS termination and added headers are bypassed.",
        remedy: "Use the Service's cluster DNS name and plain HTTP inside the cluster, or set hostname.",
        source: FROM_INSIDE,
        loadBalancerTypes: INTERCEPTED,
        service: (service) => {
            const { protocols } = service;
            if (!isIntercepted(service) || !protocols.some((one) => one === "http" || one === "https")) return [];
            const lost = protocols.includes("https")
                ? "without TLS being ended (curl: wrong version number) and without its headers"
                : "without its headers, such as X-Forwarded-For";
            const cause = `calls of its address from inside the cluster bypass the load balancer, ${lost}`;
            return [{ cause, remedy: `let callers inside use ${clusterName(service)}, or set hostname` }];
        },
    }),
    // A node without a pod of the Service drops what it intercepts.
    resourceRule("access-local", "medium", "advisory", {
        title:
            "Clients inside the cluster do not use the address of a load balancer whose Service has " +
            "externalTrafficPolicy Local: only nodes with a pod of the Service answer.",
        remedy:
            "Use the Service's cluster DNS name inside the cluster; or use externalTrafficPolicy Cluster; or, with " +
            "Terway, Cluster and backend-type eni, which preserves the source address.",
        source: faqDocument("Connectivity issues"),
        loadBalancerTypes: INTERCEPTED,
        service: (service) =>
            when(service.externalTrafficPolicy === "Local" && isIntercepted(service), {
                cause:
                    "calls of its address from inside the cluster are answered by the calling node instead of the " +
                    "load balancer, and fail on nodes without a pod of the Service",
                remedy: insideRemedy(clusterName(service)),
            }),
    }),
    resourceRule("access-proxy-protocol", "medium", "advisory", {
        title:
            "Clients inside the cluster do not use the address of a load balancer with Proxy Protocol: the header " +
            "is missing.",
        remedy:
            "Set hostname: calls from inside the cluster then reach the load balancer, or use another port " +
            "without Proxy Protocol inside the cluster.",
        source: FROM_INSIDE,
        loadBalancerTypes: INTERCEPTED,
        service: (service) =>
            when(service.settings.proxyProtocol === "on" && isIntercepted(service), {
                cause:
                    "calls of its address from inside the cluster bypass the load balancer and come without the " +
                    "Proxy Protocol header that the backends expect",
                remedy:
                    `set hostname, or let callers inside use ${clusterName(service)} on a port without Proxy ` +
                    "Protocol",
            }),
    }),
];
