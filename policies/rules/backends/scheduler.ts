import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "../annotations/diagnostics";

/** With Local, the weight of a node follows its number of pods; rr, sch, tch and qch ignore weights. The default is rr for a CLB and wrr for an NLB. */
export const scheduler: ResourceRule = {
    name: "backends-scheduler",
    title: "The scheduling algorithm fits the backends: wrr (or wlc, on an NLB) where nodes have different weights, rr or wrr for HTTP and HTTPS.",
    group: "backends",
    severity: "medium",
    level: "advisory",
    remedy: 'Set alibaba-cloud-loadbalancer-scheduler to "wrr" with externalTrafficPolicy Local.',
    source: clbDocument("Use only nodes running Pods as backend servers"),
    service: (service) => diagnosticsOf(service, "backends-scheduler"),
};
