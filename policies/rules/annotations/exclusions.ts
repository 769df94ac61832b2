import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** A specification for an instance that is paid by usage, bandwidth of an internal one, pods as backends with Flannel. */
export const exclusions: ResourceRule = {
    name: "annotations-exclusions",
    title: "Annotations that exclude each other, or that the cluster cannot have, are not set.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Remove one of the two.",
    source: clbDocument("Specify the CLB instance type"),
    service: (service) => diagnosticsOf(service, "annotations-exclusions"),
};
