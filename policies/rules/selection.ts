/** Which Services a rule is meant for, where that is the platform team's choice. */

import { matches } from "../judge";
import type { Config, Option } from "../rule";
import type { ServiceSubject } from "../subjects";

/** Settings by which a rule is pointed at Services. */
export const selection = (label: string): Readonly<Record<"services" | "label", Option>> => ({
    services: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Services that the rule is meant for, as `namespace/name`; `*` stands for any text.",
    },
    label: {
        type: "string",
        default: label,
        description: "Label, as `key=value`, of Services that the rule is meant for.",
    },
});

/** Whether the configuration points at a Service. */
export function selects(config: Config, service: ServiceSubject): boolean {
    const [key = "", value] = String(config["label"]).split("=");
    return (
        matches(service.name, config["services"] as string[]) ||
        (key !== "" && service.labels[key] !== undefined && (value === undefined || service.labels[key] === value))
    );
}
