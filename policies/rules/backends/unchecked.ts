import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "../annotations/diagnostics";

/** HTTP and HTTPS listeners check nothing unless they are told to. */
export const unchecked: ResourceRule = {
    name: "backends-unchecked",
    title: "The backends of every listener are checked, so that dead ones get no traffic.",
    group: "backends",
    severity: "medium",
    level: "advisory",
    remedy: 'Set health-check-flag to "on" for HTTP and HTTPS listeners of a CLB, and switch checks off nowhere (health-check-switch on a CLB, health-check-flag on an NLB).',
    source: clbDocument("Create an HTTP listener"),
    service: (service) => diagnosticsOf(service, "backends-unchecked"),
};
