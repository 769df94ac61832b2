/** Formats of a report, and that for a terminal. */

import { printable, printableJson } from "../../../provider/diagnostics";
import { NO_TERMINAL, type Terminal, wrapped } from "../../command/output";
import type { BackendReport, Finding, GroupReport, Report, SubjectReport } from "../model";
import * as words from "../sentences";
import { renderHtml } from "./html";
import { renderMarkdown } from "./markdown";

export const FORMATS = ["text", "markdown", "json", "html"] as const;

/**
 * Writes a report in a format. JSON follows docs/report.schema.json.
 *
 * @param characters most characters of markdown. Default: those of a comment on GitHub
 * @param terminal to which the text goes. Default: none
 */
export const renderReport = (
    report: Report,
    format: (typeof FORMATS)[number],
    characters?: number,
    terminal?: Terminal,
): string =>
    ({
        text: () => renderText(report, terminal),
        markdown: () => renderMarkdown(report, characters),
        json: printableJson,
        html: renderHtml,
    })[format](report);

const LISTED = 12;

function renderText(report: Report, { columns } = NO_TERMINAL): string {
    const { loud, quiet } = words.divide(report);
    const findingsOf = words.printedFindings(report);
    const lines = [
        ...report.losses.flatMap(({ subject, address, cause, remedy }) => [
            `PUBLIC ADDRESS RELEASED: ${address} of ${subject}: ${cause}`,
            `    remedy: ${remedy}`,
        ]),
        words.headline(report),
        ...words.caveats(report),
        ...loud.flatMap((subject) => ["", ...subjectLines(subject, findingsOf(subject.subject))]),
        ...words.otherSubjects(report).flatMap((subject) => titled(subject, allLines(findingsOf(subject)))),
        ...(quiet.length === 0
            ? []
            : ["", `${words.quietTitle(report)}: ${quiet.map(({ subject }) => subject).join(", ")}`]),
        ...titled("Findings that belong to no Service", allLines(findingsOf())),
    ];
    return lines
        .flatMap((line) => wrapped(printable(line), columns))
        .map((line) => `${line}\n`)
        .join("");
}

const titled = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ["", title, ...lines]);

function subjectLines(subject: SubjectReport, findings: words.PrintedFindings): string[] {
    const { loadBalancer, listeners, groups, others } = subject;
    const grouped = new Set(listeners.map(({ group }) => group));
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
        ...(findings.fresh.length === 0 ? [] : ["  findings:", ...findings.fresh.flatMap(findingLines)]),
        ...(findings.known.length === 0 ? [] : [`  ${words.knownTitle(findings.known).toLowerCase()}`]),
    ];
}

const allLines = ({ fresh, known }: words.PrintedFindings): string[] => [...fresh, ...known].flatMap(findingLines);

const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`  ${title}:`, ...items.map((item) => `    ${item}`)];

/** Returns an object that changes, with its fields indented further. */
function changeLines({ change, fields }: words.Changed, text: string, indent: number): string[] {
    const space = " ".repeat(indent);
    return [
        `${space}${words.CHANGE_WORDS[change].sign} ${text}`,
        ...fields.map((field) => `${space}    ${words.describeField(field)}`),
    ];
}

function groupLines(group: GroupReport, indent: number): string[] {
    const space = " ".repeat(indent);
    const { shown, folded } = words.foldBackends(group, LISTED);
    const backendLine = (one: BackendReport): string =>
        `${space}  ${words.CHANGE_WORDS[one.change].sign} ${words.describeBackend(one)}: ${words.describeWeight(one)}`;
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
