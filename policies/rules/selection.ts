/** The Services that a rule applies to, where the platform team selects them. */

import { z } from "zod";
import { matches } from "../rule/evaluate";
import { type ServiceSubject, TEXT_LIST } from "../subjects";

/** Returns the settings that select Services. */
export const selection = (label: string) =>
    z.object({
        services: TEXT_LIST.default([]).describe(
            "Services that the rule applies to, as `namespace/name`; `*` matches any text.",
        ),
        label: z.string().default(label).describe("Label, as `key=value`, of Services that the rule applies to."),
    });

/** Reports whether the configuration selects a Service. */
export function selects(
    { services, label }: Readonly<z.output<ReturnType<typeof selection>>>,
    service: Pick<ServiceSubject, "name" | "labels">,
): boolean {
    const [key = "", value] = label.split("=");
    if (matches(service.name, services)) return true;
    if (key === "" || !Object.hasOwn(service.labels, key)) return false;
    return value === undefined || service.labels[key] === value;
}
