/** Report for a terminal. */

import { printable } from "../../../provider/diagnostics";
import type { Finding, GroupReport, Loss, Report, SubjectReport } from "../model";
import * as words from "../sentences";

/** Backends of a group that are listed. */
const LISTED = 12;

/** Renders the report as lines of any width. */
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
    const { loadBalancer, listeners, groups, others, userManaged, findings, billing } = subject;
    const grouped = new Set(listeners.map(({ group }) => group));
    const alone = groups.filter(({ key }) => !grouped.has(key));
    return [
        `${subject.subject}: ${words.describeVerdict(subject)}${subject.protected ? " (protected)" : ""}`,
        ...(loadBalancer === null
            ? []
            : changeLines(
                  loadBalancer,
                  `${words.loadBalancerText(loadBalancer)}: ${words.describeAddress(loadBalancer)}`,
                  0,
              )),
        ...listeners.flatMap((listener) => [
            ...changeLines(listener, `listener ${words.listenerText(listener)}`, 2),
            ...groups.filter(({ key }) => key === listener.group).flatMap((group) => groupLines(group, 4)),
        ]),
        ...alone.flatMap((group) => groupLines(group, 2)),
        ...others.flatMap((other) => changeLines(other, `${other.noun} ${other.name}`, 2)),
        ...section("clients notice", words.describeNotices(subject)),
        ...section("user-managed on the instance", userManaged),
        ...section("billing", billing.map(words.describeBilling)),
        ...(findings.length === 0 ? [] : ["  findings:", ...findings.flatMap(findingLines)]),
    ];
}

/** Returns an object that changes, with its fields indented further. */
function changeLines({ change, fields }: Changed, text: string, indent: number): string[] {
    const space = " ".repeat(indent);
    return [
        `${space}${words.SIGNS[change]} ${text}`,
        ...fields.map((field) => `${space}    ${words.describeField(field)}`),
    ];
}

type Changed = Pick<SubjectReport["listeners"][number], "change" | "fields">;

function groupLines(group: GroupReport, indent: number): string[] {
    const space = " ".repeat(indent);
    const { shown, folded } = words.foldBackends(group.backends, LISTED);
    return [
        ...changeLines(group, words.describeGroup(group), indent),
        ...shown.map((one) => `${space}  ${words.SIGNS[one.change]} ${one.key}: ${words.describeWeight(one)}`),
        ...(folded.length === 0 ? [] : [`${space}    ${words.describeFolded(folded)}`]),
    ];
}

const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${line}`)];

function findingLines({ severity, rule, message, remedy, position }: Finding): string[] {
    const where = position === null ? "" : `${position}: `;
    return [
        `    ${severity}${rule === null ? "" : `[${rule}]`}: ${where}${message}`,
        ...(remedy === null ? [] : [`        remedy: ${remedy}`]),
    ];
}
