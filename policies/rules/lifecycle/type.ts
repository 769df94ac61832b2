import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "../annotations/diagnostics";

/** A Service of another type gets no load balancer, and one whose type changes loses it. */
export const type: ResourceRule = {
    name: "lifecycle-type",
    title: "A Service with load balancer annotations has the type LoadBalancer and keeps it.",
    group: "lifecycle",
    severity: "high",
    level: "advisory",
    remedy: "Set spec.type to LoadBalancer, or remove the annotations.",
    source: notesDocument("Notes"),
    anyType: true,
    service: (service) => {
        const { before } = service;
        if (before?.type === "LoadBalancer" && service.type !== "LoadBalancer") {
            const kept = before.settings.id === undefined ? "is deleted with it" : "stays, without its listeners";
            return [
                `the type changes from LoadBalancer to ${service.type}: the Service can no longer be reached through its load balancer, which ${kept}`,
            ];
        }
        return service.annotated ? diagnosticsOf(service, "lifecycle-type") : [];
    },
};
