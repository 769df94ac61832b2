import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Allowed values with an unexpected effect: a timeout below its interval, an IPv6 address without IPv6 clients. */
export const effects: ResourceRule = {
    name: "annotations-effects",
    title: "Annotations have the effect that their author expects.",
    group: "annotations",
    severity: "low",
    level: "advisory",
    remedy: "Change the annotation as the message says.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-effects"),
};
