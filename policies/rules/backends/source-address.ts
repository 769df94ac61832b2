import { edgeDocument, nlbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import type { ServiceSubject } from "../../subjects";

/** Advisory: Cluster is the default of Kubernetes, and most Services do not need the source address. */
export const sourceAddress: ResourceRule = {
    name: "backends-source-address",
    title: "Pods see the source addresses of their clients.",
    group: "backends",
    severity: "low",
    level: "advisory",
    remedy: "Use externalTrafficPolicy Local, backend-type eni, Proxy Protocol, or (CLB) HTTP listeners with X-Forwarded-For. On an NLB leave preserve-client-ip on; TCPSSL listeners pass the address on by Proxy Protocol only.",
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

/** Cases in which the NLB replaces the source address by its own. */
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
