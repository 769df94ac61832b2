import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Legacy keys still work; where both keys stand, the old one is ignored. */
export const legacy: ResourceRule = {
    name: "annotations-legacy",
    title: "Annotations have their present names, not those that begin with alicloud.",
    group: "annotations",
    severity: "low",
    level: "advisory",
    remedy: "Rename the annotation: alicloud- becomes alibaba-cloud-.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-legacy"),
};
