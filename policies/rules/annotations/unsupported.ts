import type { ResourceRule } from "../../rule";
import { findings } from "./issues";

/** What the package reads and then refuses, so that a pipeline knows it before a run does. Services of the Cloud Controller Manager are not concerned. */
export const unsupported: ResourceRule = {
    name: "annotations-unsupported",
    title: "Nothing is asked for that this version of the package cannot do.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Remove the annotation, or leave the Service to the Cloud Controller Manager.",
    source: 'docs/annotations.md, "Known, but not supported"',
    service: (service) => findings(service, "annotations-unsupported"),
};
