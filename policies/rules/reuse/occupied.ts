import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Listeners and server groups that exist on the instance, managed for another Service by their ownership mark. */
export const occupied: ResourceRule = {
    name: "reuse-occupied",
    title: "Each server group name and listener on a reused instance is used by one Service only.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Use another port, another name, or another instance.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf(["name-taken", "listener-of-service", "listener-redirect"]),
};
