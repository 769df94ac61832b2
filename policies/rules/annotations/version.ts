import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** An annotation that is newer than the cluster's Cloud Controller Manager has no effect. */
export const version: ResourceRule = {
    name: "annotations-version",
    title: "The Cloud Controller Manager version of the cluster supports every annotation that is set.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Upgrade the Cloud Controller Manager, or remove the annotation.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-version"),
};
