import { z } from "zod";
import { notesDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { selection, selects } from "../selection";
import { switchedOffBy } from "./off";

const OPTIONS = z.object({
    ...selection("ack-loadbalancer.io/critical=true").shape,
    protect: z
        .boolean()
        .default(false)
        .describe("Whether Pulumi's `protect` is required too. It does not apply to manifests."),
});

/** Deleting the Service deletes the instance despite its deletion protection, so that critical ones need Pulumi's protection as well. */
export const critical: ResourceRule<typeof OPTIONS> = {
    name: "protection-critical",
    title: "Load balancers of critical Services are protected from deletion, in the cloud and in Pulumi.",
    group: "protection",
    severity: "critical",
    level: "mandatory",
    remedy: 'Remove delete-protection "off" and modification-protection "NonProtection"; give the component or resource the option `protect: true`.',
    source: notesDocument("Notes"),
    options: OPTIONS,
    service: (service, config) => {
        if (!selects(config, service)) return [];
        const { deletion, modification } = switchedOffBy(service);
        return [
            ...(deletion ? ["the Service is critical, but deletion protection of its instance is switched off"] : []),
            ...(modification ? ["the Service is critical, but its instance can be changed in the console"] : []),
            ...(config.protect && service.protect === false
                ? ["the Service is critical, but Pulumi would delete it without being asked twice (protect is not set)"]
                : []),
        ];
    },
};
