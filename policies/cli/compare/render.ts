/** Formats what differs between the kinds of load balancer as a table for people and as JSON for programs. */

import { alignColumns, printable, printableJson } from "../../../provider/diagnostics";
import { type KindDifference, needsChange } from "../../../provider/plan/kinds";
import type { LoadBalancerType } from "../../../provider/schema/load-balancer-type";

/** A Service with all that differs. */
export interface ComparedService {
    /** `namespace/name`. */
    readonly service: string;
    readonly from: LoadBalancerType;
    readonly to: LoadBalancerType;
    readonly differences: readonly KindDifference[];
}

const PREFIX = /^service\.beta\.kubernetes\.io\/(alibaba-cloud-loadbalancer-)?/;

/** A table for each Service, each difference with its remedy, and a line of totals. */
export function renderTable(services: readonly ComparedService[]): string {
    const blocks = services.map(({ service, from, to, differences }) => {
        const head = [from.toUpperCase(), to.toUpperCase()] as const;
        const rows = [
            ["KIND", "SUBJECT", ...head],
            ...differences.map(({ kind, subject, before, after }) => [
                kind,
                subject.replace(PREFIX, ""),
                before,
                after,
            ]),
        ];
        const lines = alignColumns(rows).flatMap((line, index) => {
            const remedy = differences[index - 1]?.remedy;
            return [`    ${line}`, ...(remedy === undefined ? [] : [`        remedy: ${printable(remedy)}`])];
        });
        return [`Service ${printable(service)}: from ${head[0]} to ${head[1]}`, ...lines, ""].join("\n");
    });
    const blocked = services.filter(({ differences }) => differences.some(needsChange)).length;
    return [...blocks, `${services.length} Services compared, ${blocked} of them to be changed first`, ""].join("\n");
}

/** The same for programs. `version` changes when a member is removed or changes its meaning, not when one is added. */
export function renderJson(services: readonly ComparedService[]): string {
    return printableJson({ version: 1, services }, 2);
}
