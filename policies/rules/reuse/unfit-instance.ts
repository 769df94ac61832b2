import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Immutable fields cannot be requested afterwards; a locked instance cannot be changed. */
export const unfitInstance: ResourceRule = {
    name: "reuse-unfit-instance",
    title: "A reused instance meets what the Service requests.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Remove the annotation that requests something else, or name another instance.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf([
        "instance-locked",
        "fixed-setting",
        "charge-type",
        "shared-performance",
        "bound-elsewhere",
    ]),
};
