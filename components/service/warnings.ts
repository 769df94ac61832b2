import * as pulumi from "@pulumi/pulumi";
import { reuses } from "../../provider/service/reuse";
import { type Diagnostic, formatLogged } from "../../provider/diagnostics";
import { LOCAL_PORT_REMEDY, localNodePorts } from "../../provider/service/ports";
import { adviseOnClass } from "./claim";
import type { AnyContext } from "./context";

type Warned = Pick<AnyContext, "subject" | "service" | "live" | "ids" | "dependsOn" | "cluster">;

/** Logs warnings one by one: Pulumi prints the word `warning` before each. */
export function logWarnings(warnings: readonly Diagnostic[]): void {
    for (const warning of warnings) void pulumi.log.warn(formatLogged(warning));
}

/** Logs warnings in every run. They name no resource: a message waits forever if a policy refuses its resource. */
export function warnOf(context: Warned, warnings: readonly Diagnostic[], follow: boolean): void {
    const { subject, service } = context;
    logWarnings(warnings);
    const texts = [
        service.settings.preserveLbOnDelete === undefined || reuses(service)
            ? undefined
            : `PreservedOnDelete: the load balancer of Service ${subject} stays when the Service is deleted`,
        adviseOnClass(subject, service, follow),
    ];
    for (const text of texts) if (text !== undefined) void pulumi.log.warn(text);
    warnOfNodePorts(context);
    warnOfNamespace(context);
}

/** Warns in a preview of a missing namespace, unless it is an Output or other resources come first. */
function warnOfNamespace({ subject, live, ids: { namespace }, dependsOn, cluster }: Warned): void {
    if (!pulumi.runtime.isDryRun() || typeof namespace !== "string" || dependsOn !== undefined) return;
    live.apply(async ({ live: service, failure }) => {
        if (service !== undefined || failure !== undefined || (await cluster.hasNamespace(namespace)) !== false) return;
        await pulumi.log.warn(
            `Service ${subject}: the cluster has no namespace "${namespace}" yet. Remedy: create it first, or let ` +
                "the component depend on the resource that creates it (dependsOn).",
        );
    });
}

/** Warns of observed node ports in the nodes' local port range. Ports assigned in this run are seen by the next one. */
function warnOfNodePorts({ subject, live }: Warned): void {
    live.apply(async ({ live: service }) => {
        const found = localNodePorts(service?.spec?.ports ?? []);
        if (found.length > 0)
            await pulumi.log.warn(
                `Service ${subject}: ${found.join("; ")}: connections of a node may take such a port, ` +
                    `so that health checks fail now and then. Remedy: ${LOCAL_PORT_REMEDY}.`,
            );
    });
}
