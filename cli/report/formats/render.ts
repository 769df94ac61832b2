/** Formats of a report, and that for a terminal. */

import { printable, printableJson } from "../../../provider/diagnostics";
import type { BackendReport, Finding, GroupReport, Report, SubjectReport } from "../model";
import * as words from "../sentences";
import { renderHtml } from "./html";
import { renderMarkdown } from "./markdown";

export const FORMATS = ["text", "markdown", "json", "html"] as const;

/**
 * Writes a report in a format. JSON follows docs/report.schema.json.
 *
 * @param characters most characters of markdown; default: those of a comment on GitHub
 */
export const renderReport = (report: Report, format: (typeof FORMATS)[number], characters?: number): string =>
    ({
        text: renderText,
        markdown: () => renderMarkdown(report, characters),
        json: printableJson,
        html: renderHtml,
    })[format](report);

const LISTED = 12;

function renderText(report: Report): string {
    const { loud, quiet } = words.divide(report);
    const lines = [
        ...report.losses.flatMap(({ subject, address, cause, remedy }) => [
            `PUBLIC ADDRESS RELEASED: ${address} of ${subject}: ${cause}`,
            `    remedy: ${remedy}`,
        ]),
        words.headline(report),
        ...words.caveats(report),
        ...loud.flatMap((subject) => ["", ...subjectLines(subject, report)]),
        ...(quiet.length === 0
            ? []
            : ["", `${words.quietTitle(report)}: ${quiet.map(({ subject }) => subject).join(", ")}`]),
        ...(report.findings.length === 0
            ? []
            : ["", "Findings that belong to no Service", ...report.findings.flatMap(findingLines)]),
    ];
    return lines.map((line) => `${printable(line.trimEnd())}\n`).join("");
}

function subjectLines(subject: SubjectReport, report: Report): string[] {
    const { loadBalancer, listeners, groups, others } = subject;
    const grouped = new Set(listeners.map(({ group }) => group));
    const findings = words.printedFindings(subject, report);
    return [
        `${subject.subject}: ${words.describeVerdict(subject)}${subject.protected ? " (protected)" : ""}`,
        ...(loadBalancer === null ? [] : changeLines(loadBalancer, words.loadBalancerText(loadBalancer), 0)),
        ...listeners.flatMap((listener) => [
            ...changeLines(listener, `listener ${words.listenerText(listener)}`, 2),
            ...groups.filter(({ key }) => key === listener.group).flatMap((group) => groupLines(group, 4)),
        ]),
        ...groups.filter(({ key }) => !grouped.has(key)).flatMap((group) => groupLines(group, 2)),
        ...others.flatMap((other) => changeLines(other, `${other.noun} ${other.name}`, 2)),
        ...words.listsOf(subject).flatMap(([title, items]) => list(title.toLowerCase(), items)),
        ...(findings.length === 0 ? [] : ["  findings:", ...findings.flatMap(findingLines)]),
    ];
}

const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`  ${title}:`, ...items.map((item) => `    ${item}`)];

/** Returns an object that changes, with its fields indented further. */
function changeLines({ change, fields }: words.Changed, text: string, indent: number): string[] {
    const space = " ".repeat(indent);
    return [
        `${space}${words.SIGNS[change]} ${text}`,
        ...fields.map((field) => `${space}    ${words.describeField(field)}`),
    ];
}

function groupLines(group: GroupReport, indent: number): string[] {
    const space = " ".repeat(indent);
    const { shown, folded } = words.foldBackends(group, LISTED);
    const backendLine = (one: BackendReport): string =>
        `${space}  ${words.SIGNS[one.change]} ${words.describeBackend(one)}: ${words.describeWeight(one)}`;
    return [
        ...changeLines(group, words.describeGroup(group), indent),
        ...shown.map(backendLine),
        ...(folded.length === 0 ? [] : [`${space}    ${words.describeFolded(folded)}`]),
    ];
}

function findingLines({ severity, rule, message, remedy, position }: Finding): string[] {
    const where = position === null ? "" : `${position}: `;
    const [first, ...others] = message.split("\n");
    return [
        `    ${severity}${rule === null ? "" : `[${rule}]`}: ${where}${first}`,
        ...others.map((line) => `        ${line}`),
        ...(remedy === null ? [] : [`        remedy: ${remedy}`]),
    ];
}
