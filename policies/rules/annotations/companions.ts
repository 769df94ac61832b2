import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** For example a static address without a vSwitch, or connection draining without a timeout: the first has no effect without the second. */
export const companions: ResourceRule = {
    name: "annotations-companions",
    title: "Annotations that depend on each other are set together.",
    group: "annotations",
    severity: "high",
    level: "mandatory",
    remedy: "Add the annotation that is missing, or remove the one that needs it.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-companions"),
};
