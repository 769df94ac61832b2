import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Such an instance is deleted with the Service for which it was created. */
export const madeByCluster: ResourceRule = {
    name: "reuse-made-by-cluster",
    title: "No Service reuses an instance that a cluster created.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Create an instance in the console or in a program, and name it.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf(["instance-of-cluster"]),
};
