/** Result as a table and as JSON. */

import { alignColumns, formatCause, formatDiagnostics, formatPosition, printable } from "../../provider/diagnostics";
import { count } from "../report/sentences";
import { EXIT, formatAnswer } from "../command/output";
import type { Inputs } from "./inputs";
import type { Violation } from "../../policies/rule";
import { defined } from "../../provider/schema/defined";

/** Returns the exit code. Unreadable inputs take precedence, as they may contain violations. */
export function exitCode(inputs: Pick<Inputs, "unreadable">, violations: readonly Violation[]): number {
    if (inputs.unreadable.length > 0) return EXIT.unreadable;
    return violations.some(({ level }) => level === "mandatory") ? EXIT.found : EXIT.ok;
}

const HEAD = ["LEVEL", "RULE", "SERVICE", "MESSAGE"] as const;

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

function summaryOf({ services, resources, notChecked }: Inputs, violations: readonly Violation[]): string {
    const { mandatory, advisory } = counts(violations);
    const checked = `${services.length} Services of manifests, ${resources.length} resources of a preview`;
    const left = [
        ...(notChecked.inner === 0 ? [] : [count(notChecked.inner, "ClusterIP Service")]),
        ...(notChecked.others === 0 ? [] : [`${count(notChecked.others, "object")} of another kind`]),
    ];
    const unchecked = left.length === 0 ? "" : `; not checked: ${left.join(", ")}`;
    return `${mandatory} mandatory, ${advisory} advisory; checked: ${checked}${unchecked}`;
}

function counts(violations: readonly Violation[]): { mandatory: number; advisory: number } {
    const mandatory = violations.filter(({ level }) => level === "mandatory").length;
    return { mandatory, advisory: violations.length - mandatory };
}

export function renderCheckJson(inputs: Inputs, violations: readonly Violation[]): string {
    return formatAnswer({
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
    });
}
