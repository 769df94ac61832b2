import { INTRODUCTIONS } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** Values that are allowed and do something else than they seem to: a timeout below its interval, an IPv6 address without IPv6 clients. */
export const effects: ResourceRule = {
    name: "annotations-effects",
    title: "Annotations do what they seem to do.",
    group: "annotations",
    severity: "low",
    level: "advisory",
    remedy: "Write what is meant, as the message says.",
    source: INTRODUCTIONS,
    service: (service) => diagnosticsOf(service, "annotations-effects"),
};
