import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** An annotation that applies to nothing, or to the other kind of load balancer; its author may rely on it. */
export const scope: ResourceRule = {
    name: "annotations-scope",
    title: "No annotation is set for listeners or backends that the Service does not have, or for the other kind of load balancer.",
    group: "annotations",
    severity: "low",
    level: "advisory",
    remedy: "Remove the annotation, or give the Service such a listener by protocol-port. Whether it gets a CLB or an NLB is decided by spec.loadBalancerClass when it is created.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-scope"),
};
