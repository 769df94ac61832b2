import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Attributes and tags of an instance that others use too; listeners that are not managed. */
export const consequences: ResourceRule = {
    name: "reuse-consequences",
    title: "A reuse changes no attribute or tag of the instance, and manages every listener that the Service needs.",
    group: "reuse",
    severity: "medium",
    level: "advisory",
    remedy: "Remove the annotations that change the instance, or list the Service in this rule's `except`.",
    source: notesDocument("Load balancing update policies"),
    resources: diagnosticsOf(["instance-changed", "listeners-unmanaged", "vpc-unknown", "vpc-crossed"]),
};
