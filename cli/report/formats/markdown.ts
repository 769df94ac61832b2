import { printable } from "../../../provider/diagnostics";
import { escapeMarkdown as escape, markdownList } from "../../command/page";
import type { Finding, GroupReport, Loss, Report, SubjectReport } from "../model";
import { count } from "../../command/output";
import * as words from "../sentences";
import { renderMermaid } from "./graph";

/** Backends of a group that have a row. */
const LISTED = 20;

/**
 * Renders the report as markdown.
 *
 * @param limit most characters. Default: those of a comment on GitHub. Releases and the table of Services come first,
 * and details follow while they fit, the gravest first. The drawing is left out if it leaves no room for them.
 */
export function renderMarkdown(report: Report, limit = 65_536): string {
    const { losses } = report;
    const { loud } = words.divide(report);
    const drawing = loud.length === 0 ? "" : `\`\`\`mermaid\n${renderMermaid(loud)}\`\`\``;
    const rows = loud.map((subject) => `| ${words.overviewCells(subject).map(escape).join(" | ")} |`);
    const findingsOf = words.printedFindings(report);
    const details = [
        ...loud.map((subject) => detailsOf(subject, findingsOf(subject.subject))),
        ...words
            .otherSubjects(report)
            .map((subject) => folded(`<b>${escape(subject)}</b>`, [findingSections(findingsOf(subject))])),
    ];
    const whole = Object.values(findingsOf()).flat();
    const join = (shown: Shown, picture = ""): string =>
        [
            `## ${escape(words.headline(report))}`,
            ...losses.slice(0, shown.losses).map(lossText),
            shown.losses < losses.length ? `> **Addresses released, not listed: ${losses.length - shown.losses}**` : "",
            ...words.caveats(report).map((text) => `> ${text}`),
            shown.rows === 0 ? "" : [...OVERVIEW, ...rows.slice(0, shown.rows)].join("\n"),
            shown.rows < rows.length ? `*${rows.length - shown.rows} more Services are not listed here.*` : "",
            picture,
            ...details.slice(0, shown.details),
            shown.details < details.length
                ? `*Details of ${count(details.length - shown.details, "Service")} are left out: ` +
                  "the comment would be too long. Use --format html or text.*"
                : "",
            whole.length === 0 ? "" : "**Findings that belong to no Service**",
            findingList(whole.slice(0, shown.findings)),
            shown.findings < whole.length ? `*Findings left out: ${whole.length - shown.findings}*` : "",
        ]
            .filter((part) => part !== "")
            .join("\n\n")
            .concat("\n");
    const all = { losses: losses.length, rows: rows.length, details: details.length, findings: whole.length };
    const text = join(all, drawing);
    return text.length <= limit ? text : fit(all, join, limit);
}

/** Parts that are cut if a report is too long, in this order. */
const CUT = ["details", "findings", "rows", "losses"] as const;

/** Number of each that is shown. */
type Shown = Readonly<Record<(typeof CUT)[number], number>>;

const END = "…";

function fit(all: Shown, join: (shown: Shown) => string, limit: number): string {
    let shown = all;
    for (const part of CUT) {
        const most = largest(all[part], (number) => join({ ...shown, [part]: number }).length <= limit);
        if (most !== undefined) return join({ ...shown, [part]: most });
        shown = { ...shown, [part]: 0 };
    }
    return `${join(shown).slice(0, Math.max(0, limit - END.length))}${END}`;
}

const lossText = ({ subject, address, cause, remedy }: Loss): string =>
    `> **Public address released: ${escape(address)}** of ${escape(subject)}: ${escape(cause)}.\n` +
    `> Remedy: ${escape(remedy)}.`;

/** Returns the largest number up to `most` for which a monotonic condition holds, or undefined if there is none. */
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

const OVERVIEW = ["| Service | verdict | address | clients notice |", "|---|---|---|---|"];

function detailsOf(subject: SubjectReport, findings: words.PrintedFindings): string {
    const { loadBalancer, listeners, groups, others } = subject;
    const changed = [
        ...(loadBalancer === null ? [] : changeLines(loadBalancer, words.loadBalancerText(loadBalancer))),
        ...listeners.flatMap((one) =>
            changeLines(one, `listener ${words.listenerText(one)}${one.group === null ? "" : ` → ${one.group}`}`),
        ),
        ...others.flatMap((one) => changeLines(one, `${one.noun} ${one.name}`)),
    ];
    const sections = [
        ...(changed.length === 0 ? [] : [`\`\`\`diff\n${changed.map(code).join("\n")}\n\`\`\``]),
        ...groups.map(groupTable),
        ...words
            .listsOf(subject)
            .flatMap(([title, items]) => (items.length === 0 ? [] : [`**${title}**\n\n${markdownList(items)}`])),
        findingSections(findings),
    ];
    return folded(`<b>${escape(subject.subject)}</b>: ${words.describeVerdict(subject)}`, sections);
}

const folded = (title: string, sections: readonly string[]): string =>
    `<details><summary>${title}</summary>\n\n${sections.filter((one) => one !== "").join("\n\n")}\n\n</details>`;

const findingSections = ({ fresh, known }: words.PrintedFindings): string =>
    [
        ...(fresh.length === 0 ? [] : [`**Findings**\n\n${findingList(fresh)}`]),
        ...(known.length === 0 ? [] : [folded(words.knownTitle(known), [findingList(known)])]),
    ].join("\n\n");

/** Returns an object that changes and its fields as lines of a diff. `!` colours updates and replacements. */
function changeLines({ change, fields }: words.Changed, text: string): string[] {
    const sign = change === "replace" || change === "update" ? "!" : words.CHANGE_WORDS[change].sign;
    return [`${sign} ${text}`, ...fields.map((field) => `  ${words.describeField(field)}`)];
}

/** Escapes a line in a fence. */
const code = (text: string): string => printable(text.replaceAll("```", "'''").replaceAll(/[\r\n]+/g, " "));

function groupTable(group: GroupReport): string {
    const { shown, folded } = words.foldBackends(group, LISTED);
    const title = `${escape(words.describeGroup(group))}: ${words.CHANGE_WORDS[group.change].word}`;
    if (shown.length === 0) return title;
    const rows = shown.map(({ change, key, name, before, after }) => {
        const backend = `${name === null ? "" : `${escape(name)} `}\`${codeCell(key)}\``;
        const shares = [words.arrow(before?.weight, after?.weight), words.arrow(before?.share, after?.share)];
        return `| ${[words.CHANGE_WORDS[change].sign, backend, ...shares].join(" | ")} |`;
    });
    const more = folded.length === 0 ? [] : [`| | ${escape(words.describeFolded(folded))} | | |`];
    const head = [`${title}\n`, "| | backend | weight | % of new connections |", "|---|---|--:|--:|"];
    return [...head, ...rows, ...more].join("\n");
}

const findingList = (findings: readonly Finding[]): string =>
    findings
        .map(({ severity, rule, message, remedy, position }) => {
            const where = position === null ? "" : `\`${printable(position.replaceAll("`", "'"))}\` `;
            const name = rule === null ? "" : ` \`${rule}\``;
            const advice = remedy === null ? "" : `\n  Remedy: ${escape(remedy)}`;
            return `- ${severity}${name}: ${where}${escape(message)}${advice}`;
        })
        .join("\n");

/** Escapes text between backquotes in a table. */
const codeCell = (text: string): string => printable(text.replaceAll(/[|`\r\n]/g, " "));
