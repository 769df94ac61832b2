import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** What stands on the instance already, whoever made it, as its marks say. */
export const occupied: ResourceRule = {
    name: "reuse-occupied",
    title: "Names and listeners on a reused instance belong to one Service each.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Use another port, another name, or another instance.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf(["name-taken", "listener-of-service", "listener-redirect"]),
};
