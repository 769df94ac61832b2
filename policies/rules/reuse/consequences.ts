import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Attributes and tags of an instance that others use too; listeners that nobody manages. */
export const consequences: ResourceRule = {
    name: "reuse-consequences",
    title: "Nobody is surprised by what a reuse changes, and by what it leaves alone.",
    group: "reuse",
    severity: "medium",
    level: "advisory",
    remedy: "Remove the annotations that change the instance, or accept what the message says.",
    source: notesDocument("Load balancing update policies"),
    resources: diagnosticsOf(["instance-changed", "listeners-unmanaged", "vpc-unknown", "vpc-crossed"]),
};
