/** Formats the Services of a cluster as a table for people and as JSON for programs. */

import { alignColumns } from "../../provider/diagnostics";
import { renderJson as renderAnswer } from "../command/json";
import type { ExposedService, Manager } from "../../provider/kubernetes/service/controller";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";

/** Columns of the table. */
const HEAD = ["NAMESPACE", "NAME", "KIND", "TYPE", "ADDRESS", "MANAGED BY"] as const;

/**
 * The Services as a table with a line of totals.
 *
 * @param stack the caller's own stack, as `project/stack`; undefined if it is not known.
 */
export function renderListTable(services: readonly ExposedService[], stack: string | undefined): string {
    const rows = services.map((service) => [
        service.namespace,
        service.name,
        service.loadBalancerType?.toUpperCase() ?? "-",
        service.addressType ?? "-",
        service.addresses.join(",") || "-",
        describe(service.manager, stack),
    ]);
    const lines = rows.length === 0 ? [] : alignColumns([HEAD, ...rows]);
    return [...lines, totals(services), ""].join("\n");
}

function totals(services: readonly ExposedService[]): string {
    const kinds = LOAD_BALANCER_TYPES.map(
        (type) => `${services.filter((one) => one.loadBalancerType === type).length} ${type.toUpperCase()}`,
    );
    return `${services.length} Services of type LoadBalancer: ${kinds.join(", ")}`;
}

function describe(manager: Manager, stack: string | undefined): string {
    switch (manager.kind) {
        case "stack":
            return manager.stack === stack ? `this stack (${manager.stack})` : `stack ${manager.stack}`;
        case "follower":
            return "a program that follows it";
        case "ccm":
            return "Cloud Controller Manager";
        case "other":
            return `another controller (${manager.controller})`;
        case "nobody":
            return "nobody";
    }
}

/** The Services for programs. */
export function renderListJson(services: readonly ExposedService[], stack: string | undefined): string {
    const answer = {
        services: services.map((service) => ({
            ...service,
            manager: {
                ...service.manager,
                ...(service.manager.kind === "stack" && stack !== undefined
                    ? { own: service.manager.stack === stack }
                    : {}),
            },
        })),
    };
    return renderAnswer(answer);
}
