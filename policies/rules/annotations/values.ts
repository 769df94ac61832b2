import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Annotations that do not exist, and values that they cannot have: the Cloud Controller Manager ignores the former and stumbles over the latter. */
export const values: ResourceRule = {
    name: "annotations-values",
    title: "Every annotation of a load balancer is a known one and has an allowed value.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Correct the annotation; docs/annotations.md lists all keys with their values. Upper and lower case count.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-values"),
};
