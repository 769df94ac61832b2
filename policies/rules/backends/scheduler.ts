import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "../annotations/diagnostics";

/** With Local, nodes weigh as much as they have pods; rr, sch, tch and qch do not regard weights. A CLB does rr if nothing is said, an NLB wrr. */
export const scheduler: ResourceRule = {
    name: "backends-scheduler",
    title: "The scheduling algorithm fits the backends: wrr (or wlc, on an NLB) where nodes carry weights, rr or wrr for HTTP and HTTPS.",
    group: "backends",
    severity: "medium",
    level: "advisory",
    remedy: 'Set alibaba-cloud-loadbalancer-scheduler to "wrr" with externalTrafficPolicy Local.',
    source: clbDocument("Use only nodes running Pods as backend servers"),
    service: (service) => diagnosticsOf(service, "backends-scheduler"),
};
