/** Warnings about a Service, in every run. */
import * as pulumi from "@pulumi/pulumi";
import { type Diagnostic, formatLogged } from "../../provider/diagnostics";
import { LOAD_BALANCER_CLASSES, NLB_CLASS } from "../../provider/schema/load-balancer-type";
import { LOCAL_PORT_REMEDY, localNodePorts } from "../../provider/service/ports";
import { reuses } from "../../provider/service/reuse";
import type { ComponentService } from "./service";

type Warned = Pick<ComponentService, "service" | "live" | "ids" | "dependsOn" | "cluster">;

/** Logs each warning separately, because Pulumi prints the word `warning` before each. */
export function logWarnings(warnings: readonly Diagnostic[]): void {
    for (const warning of warnings) void pulumi.log.warn(formatLogged(warning));
}

/**
 * Logs warnings in every run. They name no resource: a message about one that a policy refuses would not be shown.
 *
 * @param subject name of the Service
 * @param warnings from reading it
 * @param follow true if another tool applies it
 */
export function warnOf(subject: string, specified: Warned, warnings: readonly Diagnostic[], follow: boolean): void {
    const { service, live } = specified;
    logWarnings(warnings);
    const texts = [
        service.settings.preserveLbOnDelete === undefined || reuses(service)
            ? undefined
            : `PreservedOnDelete: the load balancer of Service ${subject} stays when the Service is deleted`,
        follow && service.loadBalancerClass === NLB_CLASS
            ? `Service ${subject}: its manifest says loadBalancerClass ${NLB_CLASS}, ` +
              "for which the Cloud Controller Manager makes an NLB. " +
              `In the cluster this stack gives it the class ${LOAD_BALANCER_CLASSES.nlb}. ` +
              "Remedy: write that class in the manifest too, once this run is done; " +
              "the API server refuses a manifest with another one."
            : undefined,
    ];
    for (const text of texts) if (text !== undefined) void pulumi.log.warn(text);
    // Ports assigned in this run are seen by the next run.
    live.apply(async (found) => {
        const local = localNodePorts(found.live?.spec?.ports ?? []);
        if (local.length > 0)
            await pulumi.log.warn(
                `Service ${subject}: ${local.join("; ")}: connections of a node may take such a port, ` +
                    `and health checks fail now and then. Remedy: ${LOCAL_PORT_REMEDY}.`,
            );
    });
    warnOfNamespace(subject, specified);
}

/** Warns in a preview of a missing namespace, unless it is an Output or other resources come first. */
function warnOfNamespace(subject: string, { live, ids: { namespace }, dependsOn, cluster }: Warned): void {
    if (!pulumi.runtime.isDryRun() || typeof namespace !== "string" || dependsOn !== undefined) return;
    live.apply(async ({ live: service, failure }) => {
        if (service !== undefined || failure !== undefined || (await cluster.reads.hasNamespace(namespace)) !== false)
            return;
        await pulumi.log.warn(
            `Service ${subject}: the cluster has no namespace "${namespace}" yet. Remedy: create it first, or let ` +
                "the component depend on the resource that creates it (dependsOn).",
        );
    });
}
