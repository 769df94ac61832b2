import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** An id that names nothing in the region. */
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
