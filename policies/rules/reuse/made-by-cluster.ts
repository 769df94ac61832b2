import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Such an instance is deleted with the Service that it was made for. */
export const madeByCluster: ResourceRule = {
    name: "reuse-made-by-cluster",
    title: "No Service reuses an instance that a cluster has made.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Create an instance of your own and name that.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf(["instance-of-cluster"]),
};
