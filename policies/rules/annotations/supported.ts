import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** What the package reads and then refuses, so that a pipeline knows it before a run does. Services of the Cloud Controller Manager are not concerned. */
export const supported: ResourceRule = {
    name: "annotations-supported",
    title: "Nothing is asked for that this version of the package cannot do.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Remove the annotation, or leave the Service to the Cloud Controller Manager.",
    source: "docs/annotations.md, column Realised",
    service: (service) => diagnosticsOf(service, "annotations-supported"),
};
