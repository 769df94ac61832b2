import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Values that the API has and no document names. Where this rule is advisory or disabled, the cloud's answer counts. */
export const undocumentedValues: ResourceRule = {
    name: "annotations-undocumented-values",
    title: "Every value is one that Alibaba Cloud documents: the scheduling algorithm of a CLB is not wlc.",
    group: "annotations",
    severity: "medium",
    level: "mandatory",
    remedy: "Use a documented value; or make this rule advisory, or list the Service in its `except`, and let the cloud decide.",
    source: clbDocument("Set the scheduling algorithm"),
    service: (service) => diagnosticsOf(service, "annotations-undocumented-values"),
};
