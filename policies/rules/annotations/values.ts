import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Unknown annotations, which the Cloud Controller Manager ignores, and values that are not allowed, on which it fails. */
export const values: ResourceRule = {
    name: "annotations-values",
    title: "Every load balancer annotation is known and has an allowed value.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Correct the annotation; docs/annotations.md lists all keys with their values. Values are case-sensitive.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-values"),
};
