/** A report for a terminal. */

import { printable } from "../../diagnostics";
import type { Finding, GroupReport, ListenerReport, Loss, Report, SubjectReport } from "../model";
import * as words from "../words";

/** Backends of a group that are listed; the rest is counted. */
const LISTED = 12;

/** The report as text, lines without a limit of width. */
export function renderText(report: Report): string {
    const [loud, quiet] = [report.subjects.filter((one) => !words.isQuiet(one)), report.subjects.filter(words.isQuiet)];
    const lines = [
        ...report.losses.flatMap(lossLines),
        words.headline(report),
        ...words.caveats(report),
        ...loud.flatMap((subject) => ["", ...subjectLines(subject)]),
        ...(quiet.length === 0 ? [] : ["", `Unchanged: ${quiet.map(({ subject }) => subject).join(", ")}`]),
        ...(report.findings.length === 0
            ? []
            : ["", "Findings that belong to no Service", ...report.findings.flatMap(findingLines)]),
    ];
    return lines.map((line) => `${printable(line.trimEnd())}\n`).join("");
}

const lossLines = ({ subject, address, cause, remedy }: Loss): string[] => [
    `PUBLIC ADDRESS RELEASED: ${address} of ${subject}: ${cause}`,
    `    remedy: ${remedy}`,
];

function subjectLines(subject: SubjectReport): string[] {
    const { loadBalancer, listeners, groups, others, notices, userManaged, findings, billing } = subject;
    const grouped = new Set(listeners.map(({ group }) => group));
    const alone = groups.filter(({ key }) => !grouped.has(key));
    return [
        `${subject.subject}: ${words.describeVerdict(subject)}${subject.protected ? " (protected)" : ""}`,
        ...(loadBalancer === null
            ? []
            : [
                  `${words.SIGNS[loadBalancer.change]} ${words.loadBalancerText(loadBalancer)}: ${words.describeAddress(loadBalancer)}`,
                  ...fieldLines(loadBalancer, 2),
              ]),
        ...listeners.flatMap((listener) => listenerLines(listener, groups)),
        ...alone.flatMap((group) => groupLines(group, 2)),
        ...others.flatMap((other) => [
            `  ${words.SIGNS[other.change]} ${other.noun} ${other.name}`,
            ...fieldLines(other, 4),
        ]),
        ...section(
            "clients notice",
            notices.map(({ about, effect, duration }) => `${about}: ${effect} (${duration})`),
        ),
        ...section("user-managed on the instance", userManaged),
        ...section("billing", billing.map(words.describeBilling)),
        ...(findings.length === 0 ? [] : ["  findings:", ...findings.flatMap(findingLines)]),
    ];
}

function listenerLines(listener: ListenerReport, groups: readonly GroupReport[]): string[] {
    const group = groups.find(({ key }) => key === listener.group);
    return [
        `  ${words.SIGNS[listener.change]} listener ${words.listenerText(listener)}`,
        ...fieldLines(listener, 4),
        ...(group === undefined ? [] : groupLines(group, 4)),
    ];
}

function groupLines(group: GroupReport, indent: number): string[] {
    const space = " ".repeat(indent);
    const { shown, folded } = words.foldBackends(group.backends, LISTED);
    return [
        `${space}${words.SIGNS[group.change]} ${words.describeGroup(group)}`,
        ...fieldLines(group, indent + 2),
        ...shown.map((one) => `${space}  ${words.SIGNS[one.change]} ${one.key}: ${words.describeWeight(one)}`),
        ...(folded.length === 0 ? [] : [`${space}    ${words.describeFolded(folded)}`]),
    ];
}

const fieldLines = ({ fields }: Pick<ListenerReport, "fields">, indent: number): string[] =>
    fields.map((field) => `${" ".repeat(indent)}  ${words.describeField(field)}`);

const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${line}`)];

function findingLines({ severity, rule, message, remedy, position }: Finding): string[] {
    const where = position === null ? "" : `${position}: `;
    return [
        `    ${severity}${rule === null ? "" : `[${rule}]`}: ${where}${message}`,
        ...(remedy === null ? [] : [`        remedy: ${remedy}`]),
    ];
}
