import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** What is fixed at creation cannot be asked for afterwards; what is locked cannot be changed. */
export const unfitInstance: ResourceRule = {
    name: "reuse-unfit-instance",
    title: "A reused instance can be what the Service asks for.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Remove the annotation that asks for something else, or name another instance.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf([
        "instance-locked",
        "fixed-setting",
        "charge-type",
        "shared-performance",
        "bound-elsewhere",
    ]),
};
