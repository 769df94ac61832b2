/** Formats the result as a table for people and as JSON for programs. */

import { alignColumns, formatCause, formatDiagnostics, formatPosition, printable } from "../../provider/diagnostics";
import { EXIT } from "../command/exit";
import { renderJson as renderAnswer } from "../command/json";
import type { Inputs } from "./inputs";
import type { Violation } from "../../policies/rule";
import { defined } from "../../provider/schema/defined";

/** Unreadable inputs take precedence over violations: there may be more of them in what was not read. */
export function exitCode(inputs: Pick<Inputs, "unreadable">, violations: readonly Violation[]): number {
    if (inputs.unreadable.length > 0) return EXIT.unreadable;
    return violations.some(({ level }) => level === "mandatory") ? EXIT.found : EXIT.ok;
}

/** Columns of the table. */
const HEAD = ["LEVEL", "RULE", "SERVICE", "MESSAGE"] as const;

/** The result for people. */
export function renderCheckTable(inputs: Inputs, violations: readonly Violation[]): string {
    const unreadable = inputs.unreadable.length === 0 ? [] : [formatDiagnostics(inputs.unreadable)];
    const rows = violations.flatMap((violation) => {
        const [first = "", ...others] = linesOf(violation);
        const cells = [violation.level, violation.rule.name, violation.place.subject ?? ""];
        return [[...cells, first], ...others.map((line) => [...cells.map(() => ""), line])];
    });
    const table = rows.length === 0 ? [] : alignColumns([HEAD, ...rows]);
    return [...unreadable, ...table, summaryOf(inputs, violations)].map((line) => `${line.trimEnd()}\n`).join("");
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

/** The result for programs. */
export function renderCheckJson(inputs: Inputs, violations: readonly Violation[]): string {
    const answer = {
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
            ...defined({ urn: violation.urn }),
        })),
        unreadable: inputs.unreadable.map(({ code, place, cause, remedy }) => ({
            what: place.subject === "" ? place.position?.file : place.subject,
            why: cause,
            code,
            remedy,
            ...place.position,
        })),
    };
    return renderAnswer(answer);
}
