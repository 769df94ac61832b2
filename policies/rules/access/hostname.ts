import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "../annotations/diagnostics";

/** With a host name, traffic from inside the cluster takes the way through the load balancer, which cannot send it back to the node it came from. */
export const hostname: ResourceRule = {
    name: "access-hostname",
    title: "A Service with TCP or UDP listeners whose pods call their own load balancer does not set hostname.",
    group: "access",
    severity: "low",
    level: "advisory",
    remedy: "Use HTTP or HTTPS listeners, or keep clients and backends on different nodes. The name itself has to be bought and bound to the address by its owner.",
    source: clbDocument("Set a hostname for the Service"),
    loadBalancerTypes: ["clb"],
    service: (service) => diagnosticsOf(service, "access-hostname"),
};
