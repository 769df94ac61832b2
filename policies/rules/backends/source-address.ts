import { edgeDocument } from "../../../provider/annotations/sources";
import type { ResourceRule } from "../../rule";

/** Switched off by default: Cluster is the default of Kubernetes, and most Services do not look at their callers' addresses. */
export const sourceAddress: ResourceRule = {
    name: "backends-source-address",
    title: "Pods see the addresses of their callers.",
    group: "backends",
    severity: "low",
    level: "disabled",
    remedy: "Use externalTrafficPolicy Local, backend-type eni, Proxy Protocol, or HTTP listeners with X-Forwarded-For.",
    source: edgeDocument("Choose an external traffic policy"),
    service: ({ externalTrafficPolicy, backendType, settings, protocols }) => {
        const carried = settings.proxyProtocol === "on" || protocols.every((protocol) => protocol === "http" || protocol === "https");
        return externalTrafficPolicy === "Cluster" && backendType === "ecs" && !carried
            ? ["with externalTrafficPolicy Cluster, pods see the address of a node instead of their caller's"]
            : [];
    },
};
