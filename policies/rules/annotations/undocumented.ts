import { CCM_SOURCE } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Annotations that work, although no document describes them. */
export const undocumented: ResourceRule = {
    name: "annotations-undocumented",
    title: "Every annotation is one that Alibaba Cloud documents.",
    group: "annotations",
    severity: "low",
    level: "advisory",
    remedy: "Do without the annotation, or list the Service in this rule's `except`.",
    source: CCM_SOURCE,
    service: (service) => diagnosticsOf(service, "annotations-undocumented"),
};
