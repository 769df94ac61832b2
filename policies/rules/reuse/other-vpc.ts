import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** A CLB reaches backends of its own VPC only. */
export const otherVpc: ResourceRule = {
    name: "reuse-other-vpc",
    title: "A reused internal CLB is in the VPC of the cluster; an NLB may be in another.",
    group: "reuse",
    severity: "high",
    level: "mandatory",
    remedy: "Name an internal CLB of the cluster's VPC, or an NLB.",
    source: notesDocument("Which load balancers can be reused?"),
    resources: diagnosticsOf(["vpc"]),
};
