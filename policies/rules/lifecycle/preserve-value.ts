import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "../annotations/diagnostics";

/** The documents say so of any text; whoever writes "false" may mean the opposite. */
export const preserveValue: ResourceRule = {
    name: "lifecycle-preserve-value",
    title: 'The annotation preserve-lb-on-delete does not say "false" or the like: any text preserves the instance.',
    group: "lifecycle",
    severity: "medium",
    level: "advisory",
    remedy: 'Remove the annotation to have the instance deleted with the Service, or write "true" to keep it.',
    source: clbDocument("Preserve the CLB instance when deleting a Service"),
    service: (service) => diagnosticsOf(service, "lifecycle-preserve-value"),
};
