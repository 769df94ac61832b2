import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "../annotations/diagnostics";

/** With a host name, traffic from inside the cluster goes out to the load balancer and comes back. */
export const hostname: ResourceRule = {
    name: "access-hostname",
    title: "A host name is not given to TCP and UDP listeners whose pods call themselves.",
    group: "access",
    severity: "low",
    level: "advisory",
    remedy: "Use HTTP or HTTPS listeners, or keep clients and backends on different nodes. The name itself has to be bought and bound to the address by its owner.",
    source: clbDocument("Set a hostname for the Service"),
    loadBalancerTypes: ["clb"],
    service: (service) => diagnosticsOf(service, "access-hostname"),
};
