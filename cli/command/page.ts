/** Pages of tables and texts for a terminal, a comment and a browser. */

import { alignColumns, printable } from "../../provider/diagnostics";
import { hanging, NO_TERMINAL, type Terminal, wrapped } from "./output";

export interface Page {
    readonly title: string;
    /** The most important result, in a sentence. */
    readonly summary: string;
    readonly sections: readonly Section[];
}

export interface Section {
    readonly title: string;
    readonly lines?: readonly string[];
    readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

export const PAGE_FORMATS = ["text", "markdown", "html"] as const;

/** @param terminal to which the text goes, and at whose width sentences are wrapped. Default: 100 columns. */
export const renderPage = (page: Page, format: (typeof PAGE_FORMATS)[number], terminal?: Terminal): string =>
    ({ text: () => asText(page, (terminal ?? NO_TERMINAL).columns), markdown: asMarkdown, html: asHtml })[format](page);

function asText({ summary, sections }: Page, columns: number): string {
    const lines = sections.flatMap(({ title, lines: own = [], table }) => {
        const head = table?.columns.map((name) => name.toUpperCase()) ?? [];
        const rows = table === undefined ? [] : tableLines([head, ...table.rows], columns).flat();
        return [
            "",
            ...wrapped(printable(title), columns),
            ...own.flatMap((line) => wrapped(printable(`  ${line}`), columns)),
            ...rows,
        ];
    });
    return [...wrapped(printable(summary), columns), ...lines].map((line) => `${line.trimEnd()}\n`).join("");
}

/** Columns of a cell that is wrapped, below which it has lines of its own. */
const NARROW = 30;

/** Returns the lines of each row of a table. The last column of a wide table is wrapped. */
function tableLines(rows: readonly (readonly string[])[], columns: number): string[][] {
    const whole = alignColumns(rows).map((row) => `  ${row}`);
    const isProse = rows.some((row) => (row.at(-1) ?? "").length > NARROW);
    if (!isProse || whole.every((row) => row.length <= columns)) return whole.map((row) => [row]);
    const others = rows.map((row) => row.slice(0, -1));
    const width = Math.max(...alignColumns(others).map((row) => row.length)) + 4;
    const isBeside = columns - width >= NARROW;
    const heads = isBeside ? alignColumns(others).map((row) => [`  ${row}`]) : tableLines(others, columns);
    return rows.map((row, index) => {
        const head = heads[index] ?? [];
        const last = row.at(-1) ?? "";
        if (last === "" || (index === 0 && !isBeside)) return head;
        if (!isBeside) return [...head, ...wrapped(`      → ${printable(last)}`, columns)];
        const [first = "", ...more] = hanging(last, columns, width);
        return [(head[0] ?? "").padEnd(width) + first, ...more.map((line) => " ".repeat(width) + line)];
    });
}

function asMarkdown({ title, summary, sections }: Page): string {
    const parts = sections.flatMap(({ title: name, lines = [], table }) => [
        `### ${escapeMarkdown(name)}`,
        ...(lines.length === 0 ? [] : [markdownList(lines)]),
        ...(table === undefined ? [] : [markdownTable(table)]),
    ]);
    return `${[`## ${escapeMarkdown(title)}`, escapeMarkdown(summary), ...parts].join("\n\n")}\n`;
}

function markdownTable({ columns, rows }: NonNullable<Section["table"]>): string {
    const lines = [columns, columns.map(() => "---"), ...rows.map((row) => row.map(escapeMarkdown))];
    return lines.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

export const markdownList = (items: readonly string[]): string =>
    items.map((item) => `- ${escapeMarkdown(item)}`).join("\n");

/** Escapes markdown, HTML and mentions, and joins the lines. */
export function escapeMarkdown(text: string): string {
    const lines = text.split(/[\r\n]/).map((line) => line.trim());
    return printable(lines.filter((line) => line !== "").join(" "))
        .replaceAll(/[\\`*_[\]|]/g, "\\$&")
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll("@", "&#64;");
}

function asHtml({ title, summary, sections }: Page): string {
    const parts = sections.map(({ title: name, lines = [], table }) => {
        const rows = table?.rows.map((row) => `<tr>${htmlCells(row)}</tr>`) ?? [];
        const grid = table === undefined ? "" : htmlTable(table.columns, rows);
        return `<section><h2>${escapeXml(name)}</h2>${htmlList(lines)}${grid}</section>`;
    });
    const header = `<header><h1>${escapeXml(title)}</h1><p>${escapeXml(summary)}</p></header>`;
    return htmlPage(title, `<body>${header}<main>${parts.join("")}</main></body>`);
}

/** Style with colours for light and dark, with a contrast of at least 4.5 to 1 (WCAG AA), and for print. */
const PAGE_STYLE = `
:root{--bg:#fff;--fg:#1b1f24;--soft:#57606a;--edge:#d0d7de;--loss-bg:#ffebe9;--loss:#a40e26;--link:#0550ae}
@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--soft:#9da7b1;--edge:#3d444d;--loss-bg:#3b1219;\
--loss:#ffb1af;--link:#79c0ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--bg);color:var(--fg);\
font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem}h2{font-size:1.15rem;margin:1.5rem 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-100rem}.skip:focus{position:static}
section{border-top:1px solid var(--edge);content-visibility:auto;contain-intrinsic-size:auto 40rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
caption{text-align:left;font-weight:bold;padding:.25rem 0}
th,td{border:1px solid var(--edge);padding:.25rem .5rem;text-align:left;vertical-align:top}
th[scope=row]{font-weight:normal}
.verdict{font-weight:normal;border:1px solid currentColor;border-radius:1rem;padding:0 .5rem;font-size:.9rem}
.v-deletes .verdict,.v-replaces-address .verdict,.v-replaces-listener .verdict,.v-interrupts .verdict,.loss{\
color:var(--loss)}
.loss{background:var(--loss-bg);border-left:.4rem solid var(--loss);padding:.5rem 1rem}
.scroll{overflow-x:auto}
summary{cursor:pointer;padding:.25rem 0}
.quiet,.legend{columns:14rem}
.create th::before{content:"+ "}.update th::before{content:"~ "}.replace th::before{content:"± "}.delete th::before{\
content:"- "}
footer{border-top:1px solid var(--edge);color:var(--soft);font-size:.9rem}
@media print{body{max-width:none;font-size:11px}section{break-inside:avoid-page;content-visibility:visible}\
details::details-content{content-visibility:visible;block-size:auto}.scroll{overflow:visible}.scroll svg{\
max-width:100%;height:auto}.skip{display:none}}
`.trim();

/** Returns a page. The title is escaped, style and body are not. */
export const htmlPage = (title: string, body: string, style = ""): string =>
    [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        `<title>${escapeXml(title)}</title><style>${PAGE_STYLE}${style}</style></head>`,
        body,
        "</html>\n",
    ].join("");

/** Returns a table of rows and a caption that are HTML. Columns are escaped. */
export function htmlTable(columns: readonly string[], rows: readonly string[], caption = ""): string {
    const head = columns.map((column) => `<th scope="col">${escapeXml(column)}</th>`).join("");
    const title = caption === "" ? "" : `<caption>${caption}</caption>`;
    return `<table>${title}<thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** Returns escaped texts as cells of a row. */
export const htmlCells = (texts: readonly string[]): string =>
    texts.map((text) => `<td>${escapeXml(text)}</td>`).join("");

/** Returns escaped texts as a list, or nothing if there are none. */
export const htmlList = (items: readonly string[]): string =>
    items.length === 0 ? "" : `<ul>${items.map((item) => `<li>${escapeXml(item)}</li>`).join("")}</ul>`;

const ENTITIES: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

/** Escapes text for HTML and XML 1.0, which allows no surrogate halves and few control characters. */
export const escapeXml = (text: string): string =>
    text
        .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
        .replaceAll(/[&<>"']/g, (character) => `&${ENTITIES[character]};`);
