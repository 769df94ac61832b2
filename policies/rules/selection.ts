/** Which Services a rule is meant for, where that is the platform team's choice. */

import { z } from "zod";
import { matches } from "../evaluate";
import type { ServiceSubject } from "../subjects";

/** Settings by which a rule is pointed at Services. */
export const selection = (label: string) =>
    z.object({
        services: z
            .array(z.string())
            .default([])
            .describe("Services that the rule is meant for, as `namespace/name`; `*` stands for any text."),
        label: z.string().default(label).describe("Label, as `key=value`, of Services that the rule is meant for."),
    });

/** Whether the configuration points at a Service. */
export function selects(
    { services, label }: Readonly<z.output<ReturnType<typeof selection>>>,
    service: ServiceSubject,
): boolean {
    const [key = "", value] = label.split("=");
    return (
        matches(service.name, services) ||
        (key !== "" && Object.hasOwn(service.labels, key) && (value === undefined || service.labels[key] === value))
    );
}
