/** Rules about the ways of traffic from a listener to the pods. */

import { z } from "zod";
import { localNodePorts, nodePortClaims } from "../../provider/service/ports";
import { clbDocument, edgeDocument, faqDocument, nlbDocument, notesDocument } from "../../provider/schema/documents";
import { DEFAULT_NODE_PORTS, LOCAL_PORTS } from "../../provider/schema/facts";
import { listenersManaged } from "../../provider/service/annotations";
import { type CheckDetails, eachService, resourceRule, type Rule, stackRule, when } from "../rule";
import type { ServiceSubject } from "../subjects";
import { PORT } from "../subjects/parse";
import { diagnosticRule } from "./annotations";

/** Returns the cases in which the NLB replaces the source address by its own. */
function hiddenByNetwork({ loadBalancerType, settings, protocols }: ServiceSubject): CheckDetails[] {
    if (loadBalancerType !== "nlb") return [];
    const instead = "backends see the address of the load balancer instead of their caller's";
    if (settings.preserveClientIp === "off")
        return [{ cause: `with preserve-client-ip "off", ${instead}`, remedy: "remove preserve-client-ip" }];
    return when(protocols.includes("tcpssl") && listenersManaged(settings), {
        cause: `behind TCPSSL listeners, ${instead}`,
        remedy: 'set proxy-protocol to "on", if the backends read the header',
    });
}

export const BACKENDS: readonly Rule[] = [
    // Services of type LoadBalancer and NodePort have node ports. A node uses ports of its local range for outgoing
    // connections, so a node port in that range is taken at times, and health checks fail for no visible reason.
    resourceRule("backends-node-ports", "high", "mandatory", {
        title:
            "Node ports are outside the range that nodes use for outgoing connections " +
            "(net.ipv4.ip_local_port_range).",
        remedy:
            "Choose another node port or let Kubernetes choose; keep the node port range of the API server outside " +
            "the local port range of the nodes.",
        source: faqDocument("How do I configure the NodePort range?"),
        options: z.object({
            localFrom: PORT.default(LOCAL_PORTS.from).describe("First port of net.ipv4.ip_local_port_range."),
            localTo: PORT.default(LOCAL_PORTS.to).describe("Last port of net.ipv4.ip_local_port_range."),
        }),
        anyType: true,
        service: ({ type, ports, facts }, { localFrom: from, localTo: to }) => {
            if (type !== "LoadBalancer" && type !== "NodePort") return [];
            const local = `the nodes' local port range ${from}-${to}`;
            const range = facts.nodePortRange ?? DEFAULT_NODE_PORTS;
            return [
                ...when(
                    range.from <= to && range.to >= from,
                    `the node port range ${range.from}-${range.to} of the cluster overlaps ${local}`,
                ),
                ...localNodePorts(ports, { from, to }),
            ];
        },
    }),
    // The API server gives a node port to the first Service and refuses the second, in the middle of the run.
    stackRule("backends-node-port-twice", "high", "mandatory", {
        title: "No two Services of a cluster name the same node port.",
        remedy: "Name another node port for one of the two, or let Kubernetes choose.",
        source: notesDocument("Backend server group"),
        stack: (stack) => {
            const claimed = new Map<string, string>();
            return eachService(stack, ({ name, ports, facts }) =>
                nodePortClaims(ports).flatMap((claim) => {
                    const key = `${facts.clusterId} ${claim}`;
                    const other = claimed.get(key) ?? name;
                    claimed.set(key, other);
                    const cause = `node port ${claim} is that of Service ${other} as well`;
                    return when(other !== name, { cause, names: [name, other] });
                }),
            );
        },
    }),
    resourceRule("backends-persistence", "low", "advisory", {
        title:
            "Session persistence is set only where it takes effect: with externalTrafficPolicy Cluster, a client " +
            "that stays on a node may still change pods.",
        remedy: "Use externalTrafficPolicy Local, or backend-type eni.",
        source: edgeDocument("Choose an external traffic policy"),
        service: ({ externalTrafficPolicy, backendType, settings }) => {
            const kept = settings.stickySession === "on" || (settings.persistenceTimeout ?? 0) > 0;
            return when(
                kept && externalTrafficPolicy === "Cluster" && backendType === "ecs",
                "session persistence keeps a client on a node, but with externalTrafficPolicy Cluster the node " +
                    "may pass each connection to another pod",
            );
        },
    }),
    // With Local, the weight of a node follows its number of pods, but rr, sch, tch and qch ignore weights. The default
    // is rr for a CLB and wrr for an NLB.
    diagnosticRule("backends-scheduler", "medium", "advisory", {
        title:
            "The scheduling algorithm fits the backends: wrr (or wlc, on an NLB) where nodes have different " +
            "weights and with graceful-shutdown, rr or wrr for HTTP and HTTPS.",
        remedy:
            'Set alibaba-cloud-loadbalancer-scheduler to "wrr" with externalTrafficPolicy Local and with ' +
            "graceful-shutdown.",
        source: clbDocument("Use only nodes running Pods as backend servers"),
    }),
    // Advisory: Cluster is the default of Kubernetes, and most Services do not need the source address.
    resourceRule("backends-source-address", "low", "advisory", {
        title: "Pods see the source addresses of their clients.",
        remedy:
            "Use externalTrafficPolicy Local, backend-type eni, Proxy Protocol, or (CLB) HTTP listeners with " +
            "X-Forwarded-For.",
        source: `${edgeDocument("Choose an external traffic policy")}; ${nlbDocument("Create a TCP/SSL Listener")}`,
        service: (service) => {
            const { externalTrafficPolicy, backendType, settings, protocols } = service;
            if (settings.proxyProtocol === "on") return [];
            if (protocols.every((one) => one === "http" || one === "https")) return [];
            return [
                ...when(
                    externalTrafficPolicy === "Cluster" && backendType === "ecs",
                    "with externalTrafficPolicy Cluster, pods see the address of a node instead of their caller's",
                ),
                ...hiddenByNetwork(service),
            ];
        },
    }),
    // The health check of HTTP and HTTPS listeners of a CLB is off by default.
    diagnosticRule("backends-unchecked", "medium", "advisory", {
        title: "Every listener has a health check: failed backends get no traffic.",
        remedy:
            'Set health-check-flag to "on" for HTTP and HTTPS listeners of a CLB, and do not switch health checks ' +
            "off (health-check-switch on a CLB, health-check-flag on an NLB).",
        source: clbDocument("Create an HTTP listener"),
    }),
];
