/** Formats the result as a table for people and as JSON for programs. */

import { formatCause, formatDiagnostics, formatPosition, printable, printableJson } from "../../provider/diagnostics";
import type { Inputs } from "./inputs";
import type { Violation } from "../../policies/rule";

/** Exit codes of the command. */
export const EXIT = { ok: 0, violations: 1, unreadable: 2 } as const;

/** Unreadable inputs take precedence over violations: there may be more of them in what was not read. */
export function exitCode(inputs: Pick<Inputs, "unreadable">, violations: readonly Violation[]): number {
    if (inputs.unreadable.length > 0) return EXIT.unreadable;
    return violations.some(({ level }) => level === "mandatory") ? EXIT.violations : EXIT.ok;
}

/** The result for people. */
export function renderTable(inputs: Inputs, violations: readonly Violation[]): string {
    const unreadable = inputs.unreadable.length === 0 ? [] : [formatDiagnostics(inputs.unreadable)];
    const rows = violations.map((violation) => ({
        cells: [violation.level, violation.rule.name, printable(violation.place.subject ?? "")],
        lines: linesOf(violation),
    }));
    const table =
        rows.length === 0 ? [] : renderRows([{ cells: ["LEVEL", "RULE", "SERVICE"], lines: ["MESSAGE"] }, ...rows]);
    return [...unreadable, ...table, summaryOf(inputs, violations)].map((line) => `${line.trimEnd()}\n`).join("");
}

interface TableRow {
    readonly cells: readonly string[];
    readonly lines: readonly string[];
}

function renderRows(rows: readonly TableRow[]): string[] {
    const widths = (rows[0]?.cells ?? []).map((_, column) =>
        Math.max(...rows.map(({ cells }) => (cells[column] ?? "").length)),
    );
    const indent = " ".repeat(widths.reduce((sum, width) => sum + width + 2, 0));
    return rows.flatMap(({ cells, lines: [first = "", ...others] }) => [
        cells.map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `).join("") + first,
        ...others.map((line) => indent + line),
    ]);
}

function linesOf(violation: Violation): string[] {
    const { position } = violation.place;
    const where = position === undefined ? "" : `${formatPosition(position)}: `;
    return [where + formatCause(violation), `remedy: ${printable(violation.remedy)}`];
}

function summaryOf({ services, resources }: Inputs, violations: readonly Violation[]): string {
    const { mandatory, advisory } = counts(violations);
    return `${mandatory} mandatory, ${advisory} advisory; checked: ${services.length} Services of manifests, ${resources.length} resources of a preview`;
}

function counts(violations: readonly Violation[]): { mandatory: number; advisory: number } {
    const mandatory = violations.filter(({ level }) => level === "mandatory").length;
    return { mandatory, advisory: violations.length - mandatory };
}

/** The result for programs. `version` changes when a member is removed or changes its meaning, not when one is added. */
export function renderJson(inputs: Inputs, violations: readonly Violation[]): string {
    const answer = {
        version: 1,
        exitCode: exitCode(inputs, violations),
        summary: { ...counts(violations), services: inputs.services.length, resources: inputs.resources.length },
        violations: violations.map((violation) => ({
            level: violation.level,
            rule: violation.rule.name,
            severity: violation.rule.severity,
            subject: violation.place.subject,
            message: formatCause(violation),
            remedy: violation.remedy,
            source: violation.source,
            ...violation.place.position,
            ...(violation.urn === undefined ? {} : { urn: violation.urn }),
        })),
        unreadable: inputs.unreadable.map(({ code, place, cause, remedy }) => ({
            what: place.subject === "" ? place.position?.file : place.subject,
            why: cause,
            code,
            remedy,
            ...place.position,
        })),
    };
    return printableJson(answer);
}
