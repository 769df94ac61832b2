import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Without the annotation a Service requests an Internet-facing instance. */
export const addressType: ResourceRule = {
    name: "reuse-address-type",
    title: "A reused instance has the address type and IP version that the Service requests.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Set address-type and ip-version to those of the instance, or name another instance.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf(["address-type", "ip-version"]),
};
