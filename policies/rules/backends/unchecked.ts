import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "../annotations/diagnostics";

/** The health check of HTTP and HTTPS listeners of a CLB is off by default. */
export const unchecked: ResourceRule = {
    name: "backends-unchecked",
    title: "Every listener has a health check, so that failed backends get no traffic.",
    group: "backends",
    severity: "medium",
    level: "advisory",
    remedy: 'Set health-check-flag to "on" for HTTP and HTTPS listeners of a CLB, and do not switch health checks off (health-check-switch on a CLB, health-check-flag on an NLB).',
    source: clbDocument("Create an HTTP listener"),
    service: (service) => diagnosticsOf(service, "backends-unchecked"),
};
