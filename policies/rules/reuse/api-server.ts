import { z } from "zod";
import { notesDocument } from "../../../provider/schema/documents";
import { matches } from "../../rule/evaluate";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

const OPTIONS = z.object({
    denied: z.array(z.string()).default([]).describe("Ids of instances that no Service may use; `*` matches any text."),
});

/** A cluster whose API server loses its instance has to be created anew. */
export const apiServer: ResourceRule<typeof OPTIONS> = {
    name: "reuse-api-server",
    title: "No Service uses the instance of an API server, or one that the platform team denies.",
    group: "reuse",
    severity: "critical",
    level: "mandatory",
    remedy: "Name another instance.",
    source: notesDocument("Which load balancers can be reused?"),
    options: OPTIONS,
    service: ({ settings }, config) =>
        settings.id !== undefined && matches(settings.id, config.denied)
            ? [`load balancer ${settings.id} is on the list of instances that no Service may use`]
            : [],
    resources: diagnosticsOf(["instance-of-api-server", "instance-denied"]),
};
