import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** For example a specification for a pay-as-you-go (PayByCLCU) instance, the bandwidth of an internal one, or pods as backends with Flannel. */
export const exclusions: ResourceRule = {
    name: "annotations-exclusions",
    title: "Annotations that exclude each other, or that the cluster does not support, are not set.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Remove one of the two.",
    source: clbDocument("Specify the CLB instance type"),
    service: (service) => diagnosticsOf(service, "annotations-exclusions"),
};
