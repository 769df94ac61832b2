/** Report as a comment on a pull request. */

import { printable } from "../../../provider/diagnostics";
import type { Finding, GroupReport, Loss, Report, SubjectReport } from "../model";
import * as words from "../sentences";
import { renderMermaid } from "./mermaid";

/** Longest comment on GitHub, in characters. */
export const MARKDOWN_LIMIT = 65_536;

/** Backends of a group that have a row. */
const LISTED = 20;

/**
 * Renders the report as markdown.
 *
 * @param limit most characters. Releases and the table of Services come first; details follow while they fit, the
 * gravest first. The drawing is left out if it leaves no room for them.
 */
export function renderMarkdown(report: Report, limit = MARKDOWN_LIMIT): string {
    const head = [
        `## ${escape(words.headline(report))}`,
        ...report.losses.map(lossBlock),
        ...words.caveats(report).map((text) => `> ${text}`),
    ];
    const tail =
        report.findings.length === 0 ? [] : ["**Findings that belong to no Service**", findingList(report.findings)];
    const loud = report.subjects.filter((subject) => !words.isQuiet(subject));
    const drawing = loud.length === 0 ? "" : `\`\`\`mermaid\n${renderMermaid(loud)}\`\`\``;
    return fit(head, summary(report.subjects), drawing, loud.map(details), tail, limit);
}

const END = "…";

/** Joins the parts that fit, and counts the others. */
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
                      `*Details of ${words.count(blocks.length - shownBlocks, "Service")} are left out: ` +
                          "the comment would be too long. Use --format html or text.*",
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

/** Returns the largest number up to `most` for which a monotonic condition holds; undefined if for none. */
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
        ...loud.map((subject) => `| ${words.overviewCells(subject).map(escape).join(" | ")} |`),
    ];
}

const lossBlock = ({ subject, address, cause, remedy }: Loss): string =>
    `> **Public address released: ${escape(address)}** of ${escape(subject)}: ${escape(cause)}.\n` +
    `> Remedy: ${escape(remedy)}.`;

function details(subject: SubjectReport): string {
    const { loadBalancer, listeners, groups, others, userManaged, findings, billing } = subject;
    const changed = [
        ...(loadBalancer === null
            ? []
            : changeLines(
                  loadBalancer,
                  `${words.loadBalancerText(loadBalancer)}: ${words.describeAddress(loadBalancer)}`,
              )),
        ...listeners.flatMap((one) =>
            changeLines(one, `listener ${words.listenerText(one)}${one.group === null ? "" : ` → ${one.group}`}`),
        ),
        ...others.flatMap((one) => changeLines(one, `${one.noun} ${one.name}`)),
    ];
    const sections = [
        changed.length === 0 ? "" : `\`\`\`diff\n${changed.map(code).join("\n")}\n\`\`\``,
        ...groups.map(groupTable),
        titled("Clients notice", words.describeNotices(subject)),
        titled("User-managed on the instance", userManaged),
        titled("Billing", billing.map(words.describeBilling)),
        findings.length === 0 ? "" : `**Findings**\n\n${findingList(findings)}`,
    ].filter((part) => part !== "");
    const title = `<b>${escape(subject.subject)}</b>: ${words.describeVerdict(subject)}`;
    return `<details><summary>${title}</summary>\n\n${sections.join("\n\n")}\n\n</details>`;
}

/** Returns an object that changes and its fields as lines of a diff; `!` colours updates and replacements. */
function changeLines(
    { change, fields }: Pick<SubjectReport["listeners"][number], "change" | "fields">,
    text: string,
): string[] {
    const sign = change === "replace" || change === "update" ? "!" : words.SIGNS[change];
    return [`${sign} ${text}`, ...fields.map((field) => `  ${words.describeField(field)}`)];
}

/** Escapes a line in a fence. */
const code = (text: string): string => printable(text.replaceAll("```", "'''").replaceAll(/[\r\n]+/g, " "));

function groupTable(group: GroupReport): string {
    const { shown, folded } = words.foldBackends(group.backends, LISTED);
    const title = `${escape(words.describeGroup(group))}: ${words.CHANGE_WORDS[group.change]}`;
    if (shown.length === 0) return title;
    const rows = shown.map(({ change, key, before, after }) => {
        const shares = [words.arrow(before?.weight, after?.weight), words.arrow(before?.share, after?.share)];
        return `| ${[words.SIGNS[change], `\`${codeCell(key)}\``, ...shares].join(" | ")} |`;
    });
    const more = folded.length === 0 ? [] : [`| | ${escape(words.describeFolded(folded))} | | |`];
    const head = [`${title}\n`, "| | backend | weight | % of new connections |", "|---|---|--:|--:|"];
    return [...head, ...rows, ...more].join("\n");
}

const titled = (title: string, items: readonly string[]): string =>
    items.length === 0 ? "" : `**${title}**\n\n${list(items)}`;

const list = (items: readonly string[]): string => items.map((item) => `- ${escape(item)}`).join("\n");

const findingList = (findings: readonly Finding[]): string =>
    findings
        .map(({ severity, rule, message, remedy, position }) => {
            const where = position === null ? "" : `\`${printable(position.replaceAll("`", "'"))}\` `;
            const name = rule === null ? "" : ` \`${rule}\``;
            const advice = remedy === null ? "" : `\n  Remedy: ${escape(remedy)}`;
            return `- ${severity}${name}: ${where}${escape(message)}${advice}`;
        })
        .join("\n");

const escape = escapeMarkdown;

/** Escapes markdown, HTML and mentions. */
export function escapeMarkdown(text: string): string {
    return printable(onOneLine(text))
        .replaceAll(/[\\`*_[\]|]/g, "\\$&")
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll("@", "&#64;");
}

const onOneLine = (text: string): string =>
    text
        .split(/[\r\n]/)
        .map((line) => line.trim())
        .filter((line) => line !== "")
        .join(" ");

/** Escapes text between backquotes in a table. */
const codeCell = (text: string): string => printable(text.replaceAll(/[|`\r\n]/g, " "));
