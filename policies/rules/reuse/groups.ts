import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** A vServer group that is managed for a Service is deleted with it. */
export const groups: ResourceRule = {
    name: "reuse-groups",
    title: "The vServer groups that a Service joins exist and are user-managed.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Create a vServer group in the console or in a program, and name it.",
    source: clbDocument("Reuse an existing vServer group"),
    resources: diagnosticsOf(["group-missing", "group-of-service", "group-unfit"]),
};
