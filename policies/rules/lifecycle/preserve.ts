import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";

/** A preserved instance is released when its Service is deleted. A Service whose type changes back may attach to the instance again. */
export const preserve: ResourceRule = {
    name: "lifecycle-preserve",
    title: "The annotation preserve-lb-on-delete is set where it takes effect: when the Service is deleted, not when its type changes.",
    group: "lifecycle",
    severity: "high",
    level: "mandatory",
    remedy: "Delete the Service instead of changing its type; remove the annotation to have the instance deleted with the Service.",
    source: clbDocument("Preserve the CLB instance when deleting a Service"),
    anyType: true,
    service: (service) =>
        service.type !== "LoadBalancer" && service.settings.preserveLbOnDelete !== undefined
            ? [
                  `preserve-lb-on-delete is set, but the type is ${service.type}: a change of the type is no deletion, and the Service may attach to the preserved instance again`,
              ]
            : [],
};
