import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** A Service that says nothing asks for an Internet-facing instance. */
export const addressType: ResourceRule = {
    name: "reuse-address-type",
    title: "The address type and IP version of a reused instance are those that the Service asks for.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Set address-type and ip-version to what the instance is, or name another one.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf(["address-type", "ip-version"]),
};
