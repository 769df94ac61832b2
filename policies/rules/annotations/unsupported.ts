import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Values and classes that this version reads and refuses, so that a pipeline finds out before a run. Services of the Cloud Controller Manager are not affected. */
export const unsupported: ResourceRule = {
    name: "annotations-unsupported",
    title: "Every value of an annotation and load balancer class is supported by this version of the package.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Remove the annotation, or leave the Service to the Cloud Controller Manager.",
    source: "docs/annotations.md, network-type",
    service: (service) => diagnosticsOf(service, "annotations-unsupported"),
};
