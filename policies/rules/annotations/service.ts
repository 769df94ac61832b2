import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Fields of the Service from which no load balancer can be built: no ports, a node port out of range, a selector that selects nothing. */
export const service: ResourceRule = {
    name: "annotations-service",
    title: "Name, ports, selector and source ranges of the Service are valid.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Correct the field, as the message says.",
    source: notesDocument("Listener"),
    service: (service) => diagnosticsOf(service, "annotations-service"),
};
