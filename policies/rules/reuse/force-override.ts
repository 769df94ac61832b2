import { clbDocument } from "../../../provider/schema/documents";
import type { ResourceRule } from "../../rule";
import { diagnosticsOf } from "./diagnostics";

/** force-override-listeners replaces user-managed listeners on the Service's ports. */
export const forceOverride: ResourceRule = {
    name: "reuse-force-override",
    title: "Listeners of a reused instance are managed only where nothing else uses their ports.",
    group: "reuse",
    severity: "high",
    level: "advisory",
    remedy: 'Set force-override-listeners to "false" and create the listeners yourself, unless the existing ones are no longer needed.',
    source: clbDocument("Use an existing CLB instance and force override listeners"),
    service: ({ settings, ports }) =>
        settings.id !== undefined && settings.forceOverrideListeners === "true"
            ? [
                  `force-override-listeners is "true": whatever listens on port ${ports.map(({ port }) => port).join(", ")} of load balancer ${settings.id} is replaced`,
              ]
            : [],
    resources: diagnosticsOf(["listener-replaced"]),
};
