import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** The region has no instance with the id. */
export const missingInstance: ResourceRule = {
    name: "reuse-missing-instance",
    title: "The instance that a Service names exists.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Correct alibaba-cloud-loadbalancer-id, or create the instance first.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf(["instance-missing"]),
};
