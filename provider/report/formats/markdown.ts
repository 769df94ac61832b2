/** A report for a pull request: folded for each Service, and never longer than a comment may be. */

import { printable } from "../../diagnostics";
import type { Finding, GroupReport, Loss, Report, SubjectReport } from "../model";
import * as words from "../words";
import { escapeMarkdown } from "./markdown-text";
import { renderMermaid } from "./mermaid";

/** Most characters of a comment on GitHub. GitLab allows 1,000,000. */
export const MARKDOWN_LIMIT = 65_536;

/** Backends of a group that have a row; the rest is counted. */
const LISTED = 20;

/**
 * The report as markdown.
 *
 * @param limit most characters. The table of all Services and what is released come first; details follow while they
 * fit, the gravest first. The drawing is left out where it would take the place of details.
 */
export function renderMarkdown(report: Report, limit = MARKDOWN_LIMIT): string {
    const head = [
        `## ${escape(words.headline(report))}`,
        ...report.losses.map(lossBlock),
        ...words.caveats(report).map((text) => `> ${text}`),
    ];
    const tail = [
        ...(report.findings.length === 0
            ? []
            : [`**Findings that belong to no Service**`, findingList(report.findings)]),
    ];
    const loud = report.subjects.filter((subject) => !words.isQuiet(subject));
    const drawing = loud.length === 0 ? "" : `\`\`\`mermaid\n${renderMermaid(loud)}\`\`\``;
    return fit(head, summary(report.subjects), drawing, loud.map(details), tail, limit);
}

const END = "…";

/** Puts together what fits. What is left out is counted, so that nobody takes the comment for the whole. */
function fit(head: string[], rows: string[], drawing: string, blocks: string[], tail: string[], limit: number): string {
    const join = (shownRows: number, shownBlocks: number, picture = ""): string =>
        [
            ...head,
            rows.slice(0, shownRows).join("\n"),
            ...(shownRows < rows.length ? [`*${rows.length - shownRows} more Services are not listed here.*`] : []),
            picture,
            ...blocks.slice(0, shownBlocks),
            ...(shownBlocks < blocks.length
                ? [
                      `*Details of ${words.count(blocks.length - shownBlocks, "Service")} are left out: the comment would be too long. Use --format html or text.*`,
                  ]
                : []),
            ...tail,
        ]
            .filter((part) => part !== "")
            .join("\n\n")
            .concat("\n");
    const whole = join(rows.length, blocks.length, drawing);
    if (whole.length <= limit) return whole;
    const most = largest(blocks.length, (shown) => join(rows.length, shown).length <= limit);
    if (most !== undefined) return join(rows.length, most);
    const some = largest(rows.length, (shown) => join(shown, 0).length <= limit);
    const text = join(some ?? 0, 0);
    return text.length <= limit ? text : `${text.slice(0, Math.max(0, limit - END.length))}${END}`;
}

/** The largest number up to `most` for which something holds that holds for all smaller ones; undefined if for none. */
function largest(most: number, holds: (number: number) => boolean): number | undefined {
    if (!holds(0)) return undefined;
    let [low, high] = [0, most];
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (holds(middle)) low = middle;
        else high = middle - 1;
    }
    return low;
}

function summary(subjects: readonly SubjectReport[]): string[] {
    const loud = subjects.filter((subject) => !words.isQuiet(subject));
    if (loud.length === 0) return [];
    return [
        "| Service | verdict | address | clients notice |",
        "|---|---|---|---|",
        ...loud.map((one) => {
            const { subject, loadBalancer, notices } = one;
            const [first] = notices;
            const noticed = first === undefined ? "nothing" : `${first.effect} (${first.duration})`;
            const address = loadBalancer === null ? "" : words.describeAddress(loadBalancer);
            return `| ${[subject, words.describeVerdict(one), address, noticed].map(cell).join(" | ")} |`;
        }),
    ];
}

const lossBlock = ({ subject, address, cause, remedy }: Loss): string =>
    `> **Public address released: ${escape(address)}** of ${escape(subject)}: ${escape(cause)}.\n> Remedy: ${escape(remedy)}.`;

function details(subject: SubjectReport): string {
    const { loadBalancer, listeners, groups, others, notices, userManaged, findings, billing } = subject;
    const changed = [
        ...(loadBalancer === null
            ? []
            : [
                  `${sign(loadBalancer.change)} ${words.loadBalancerText(loadBalancer)}: ${words.describeAddress(loadBalancer)}`,
                  ...loadBalancer.fields.map((field) => `  ${words.describeField(field)}`),
              ]),
        ...listeners.flatMap((listener) => [
            `${sign(listener.change)} listener ${words.listenerText(listener)}${listener.group === null ? "" : ` → ${listener.group}`}`,
            ...listener.fields.map((field) => `  ${words.describeField(field)}`),
        ]),
        ...others.flatMap((other) => [
            `${sign(other.change)} ${other.noun} ${other.name}`,
            ...other.fields.map((field) => `  ${words.describeField(field)}`),
        ]),
    ];
    const sections = [
        changed.length === 0 ? "" : `\`\`\`diff\n${changed.map(code).join("\n")}\n\`\`\``,
        ...groups.map(groupTable),
        titled(
            "Clients notice",
            notices.map(({ about, effect, duration }) => `${about}: ${effect} (${duration})`),
        ),
        titled("User-managed on the instance", userManaged),
        titled("Billing", billing.map(words.describeBilling)),
        findings.length === 0 ? "" : `**Findings**\n\n${findingList(findings)}`,
    ].filter((part) => part !== "");
    const title = `<b>${escape(subject.subject)}</b>: ${words.describeVerdict(subject)}`;
    return `<details><summary>${title}</summary>\n\n${sections.join("\n\n")}\n\n</details>`;
}

/** Signs that colour a line of a diff; GitHub knows no sign for a replacement. */
const sign = (change: GroupReport["change"]): string =>
    change === "replace" ? "!" : change === "update" ? "!" : words.SIGNS[change];

/** Text in a fence cannot end it, and stays on its line. */
const code = (text: string): string => printable(text.replaceAll("```", "'''").replaceAll(/[\r\n]+/g, " "));

function groupTable(group: GroupReport): string {
    const { shown, folded } = words.foldBackends(group.backends, LISTED);
    const title = `${escape(words.describeGroup(group))}: ${words.CHANGE_WORDS[group.change]}`;
    const rows = shown.map(
        (one) =>
            `| ${words.SIGNS[one.change]} | \`${codeCell(one.key)}\` | ${words.arrow(one.before?.weight, one.after?.weight)} | ${words.arrow(one.before?.share, one.after?.share)} |`,
    );
    const more = folded.length === 0 ? [] : [`| | ${cell(words.describeFolded(folded))} | | |`];
    return rows.length === 0
        ? title
        : [`${title}\n`, "| | backend | weight | % of new connections |", "|---|---|--:|--:|", ...rows, ...more].join(
              "\n",
          );
}

const titled = (title: string, items: readonly string[]): string =>
    items.length === 0 ? "" : `**${title}**\n\n${list(items)}`;

const list = (items: readonly string[]): string => items.map((item) => `- ${escape(item)}`).join("\n");

const findingList = (findings: readonly Finding[]): string =>
    findings
        .map(({ severity, rule, message, remedy, position }) => {
            const where = position === null ? "" : `\`${printable(position.replaceAll("`", "'"))}\` `;
            return `- ${severity}${rule === null ? "" : ` \`${rule}\``}: ${where}${escape(message)}${remedy === null ? "" : `\n  Remedy: ${escape(remedy)}`}`;
        })
        .join("\n");

const escape = escapeMarkdown;
const cell = escapeMarkdown;

/** Text between backquotes in a table. */
const codeCell = (text: string): string => printable(text.replaceAll(/[|`\r\n]/g, " "));
