import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Legacy keys still work; where both keys are set, the legacy one is ignored. */
export const legacy: ResourceRule = {
    name: "annotations-legacy",
    title: "Annotations have their current names, not the legacy ones that begin with alicloud-.",
    group: "annotations",
    severity: "low",
    level: "advisory",
    remedy: "Rename the annotation: alicloud- becomes alibaba-cloud-.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-legacy"),
};
