import { edgeDocument, nlbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import type { ServiceSubject } from "../../subjects";

/** Switched off by default: Cluster is the default of Kubernetes, and most Services do not look at their callers' addresses. */
export const sourceAddress: ResourceRule = {
    name: "backends-source-address",
    title: "Pods see the addresses of their callers.",
    group: "backends",
    severity: "low",
    level: "disabled",
    remedy: "Use externalTrafficPolicy Local, backend-type eni, Proxy Protocol, or (CLB) HTTP listeners with X-Forwarded-For. On an NLB leave preserve-client-ip on; TCPSSL listeners tell the address by Proxy Protocol alone.",
    source: `${edgeDocument("Choose an external traffic policy")}; ${nlbDocument("Create a TCP/SSL Listener")}`,
    service: (service) => {
        const { externalTrafficPolicy, backendType, settings, protocols } = service;
        const carried =
            settings.proxyProtocol === "on" ||
            protocols.every((protocol) => protocol === "http" || protocol === "https");
        if (carried) return [];
        return [
            ...(externalTrafficPolicy === "Cluster" && backendType === "ecs"
                ? ["with externalTrafficPolicy Cluster, pods see the address of a node instead of their caller's"]
                : []),
            ...hiddenByNetwork(service),
        ];
    },
};

/** What the NLB itself puts its own address in the place of. */
function hiddenByNetwork({ loadBalancerType, settings, protocols }: ServiceSubject): string[] {
    if (loadBalancerType !== "nlb") return [];
    if (settings.preserveClientIp === "off")
        return [
            'with preserve-client-ip "off", backends see the address of the load balancer instead of their caller\'s',
        ];
    return protocols.includes("tcpssl")
        ? ["behind TCPSSL listeners, backends see the address of the load balancer instead of their caller's"]
        : [];
}
