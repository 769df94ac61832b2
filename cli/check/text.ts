/** Results of a check for a person: grouped by file, each remedy once. */

import { formatCause, formatDiagnostics, MOST_SHOWN, printable } from "../../provider/diagnostics";
import type { Violation } from "../../policies/rule";
import { count, hanging, type Paint, painter, shortNames, type Terminal } from "../command/output";
import { byText } from "../../provider/schema/defined";
import type { Inputs } from "./inputs";

const NO_PLACE = { line: 0, col: 0 };

/**
 * Renders the violations of each file, the mandatory first. A remedy of several findings appears once, at the end.
 *
 * @param isVerbose gives keys of annotations in full, and the source of each rule.
 */
export function renderCheckText(
    inputs: Inputs,
    violations: readonly Violation[],
    { columns, colors }: Terminal,
    isVerbose = false,
): string {
    const paint = painter(colors);
    const short = isVerbose ? printable : shortNames;
    const files = Map.groupBy(violations, ({ place: { position } }) => position?.file ?? "");
    const groups = [...files]
        .sort(([a], [b]) => byText(a, b))
        .map(([file, found]) => [file, rowsOf(found, isVerbose, short)] as const);
    const rows = groups.flatMap(([, own]) => own.slice(0, MOST_SHOWN));
    const shared = [...Map.groupBy(rows, ({ remedy }) => remedy)].filter(([, same]) => same.length > 1);
    const isShared = new Set(shared.map(([remedy]) => remedy));
    const place = Math.max(0, ...rows.map((row) => placeOf(row).length));
    const format = (row: Row): string[] => {
        const { violation, services, text, remedy } = row;
        const level = violation.level.padEnd("mandatory".length);
        const head = `  ${placeOf(row).padEnd(place)}  ${level}  `;
        const about = [services.join(", "), text].filter((part) => part !== "").join(": ");
        const lines = [`${about}  ${violation.rule.name}`];
        if (!isShared.has(remedy)) lines.push(`→ ${remedy}`);
        if (isVerbose) lines.push(`source: ${printable(violation.rule.source)}`);
        const [first = "", ...others] = lines.flatMap((line) => hanging(line, columns, head.length));
        return [
            colored(`${head}${first}`, violation, paint),
            ...others.map((line) => `${" ".repeat(head.length)}${line}`),
        ];
    };
    const sections = groups.map(([file, own]) => [
        paint("bold", file === "" ? "without a place in a file" : printable(file)),
        ...own.slice(0, MOST_SHOWN).flatMap(format),
        ...(own.length > MOST_SHOWN ? [`  ${own.length - MOST_SHOWN} more are not shown; --format json has all`] : []),
        "",
    ]);
    const remedies = shared.flatMap(([remedy, same]) => {
        const rules = [...new Set(same.map(({ violation }) => violation.rule.name))].join(", ");
        return hanging(`→ ${rules}: ${remedy}`, columns, 4).map(
            (line, index) => `${index === 0 ? "  " : "    "}${line}`,
        );
    });
    return [
        ...(inputs.unreadable.length === 0 ? [] : [formatDiagnostics(inputs.unreadable), ""]),
        ...sections.flat(),
        ...(remedies.length === 0 ? [] : [paint("bold", "remedies of several findings"), ...remedies, ""]),
        ...hanging(summaryOf(inputs, violations), columns, 0),
    ]
        .map((line) => `${line.trimEnd()}\n`)
        .join("");
}

/** Returns the findings of a file, each with the Services that have it in common. */
function rowsOf(violations: readonly Violation[], isVerbose: boolean, short: (text: string) => string) {
    const entries = violations.map((violation) => {
        const { place, names, cause } = violation;
        const full = isVerbose ? formatCause(violation) : short(formatCause(violation));
        const field = full.slice(0, full.length - short(cause).length - 2);
        // A cause that names the field needs no second name before it.
        const text = field !== "" && cause.includes(`"${place.path?.at(-1) ?? ""}"`) ? short(cause) : full;
        const service = place.subject?.replace(/^Service /, "") ?? names.join(", ");
        return {
            violation,
            text,
            remedy: short(violation.remedy),
            service: printable(service),
            ...(place.position ?? NO_PLACE),
        };
    });
    const alike = Map.groupBy(entries, ({ violation, text, remedy }) =>
        JSON.stringify([violation.rule.name, violation.level, text, remedy]),
    );
    return [...alike.values()]
        .flatMap(([first, ...others]) => {
            const services = [first, ...others].flatMap((one) => one?.service ?? []);
            return first === undefined ? [] : { ...first, services: [...new Set(services)] };
        })
        .sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.col - b.col);
}

type Row = ReturnType<typeof rowsOf>[number];

const rank = ({ violation }: { readonly violation: Violation }): number => (violation.level === "mandatory" ? 0 : 1);

const placeOf = ({ line, col }: Row): string => (line === 0 ? "" : `${line}:${col}`);

const colored = (line: string, { level, rule }: Violation, paint: Paint): string =>
    line
        .replace(level, paint(level === "mandatory" ? "red" : "yellow", level))
        .replace(new RegExp(`${rule.name}$`), paint("dim", rule.name));

export function countsOf(violations: readonly Violation[]): Record<"mandatory" | "advisory", number> {
    const mandatory = violations.filter(({ level }) => level === "mandatory").length;
    return { mandatory, advisory: violations.length - mandatory };
}

/** Counts violations by level, and what was checked. */
export function summaryOf({ services, resources, notChecked }: Inputs, violations: readonly Violation[]): string {
    const { mandatory, advisory } = countsOf(violations);
    const checked = [
        ...(services.length > 0 || resources.length === 0 ? [count(services.length, "Service")] : []),
        ...(resources.length === 0 ? [] : [`${count(resources.length, "resource")} of a preview`]),
    ];
    const unchecked = notChecked === 0 ? "" : `; not checked: ${count(notChecked, "object")} of another kind`;
    return `${mandatory} mandatory, ${advisory} advisory; checked: ${checked.join(", ")}${unchecked}`;
}
