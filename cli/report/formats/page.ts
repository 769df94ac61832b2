/** Pages of tables and texts for a terminal, a comment and a browser. */

import { alignColumns, printable } from "../../../provider/diagnostics";
import { escapeXml, htmlCells, htmlList, htmlPage, htmlTable } from "./html-parts";
import { escapeMarkdown } from "./markdown";

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

/** Formats of a page. */
export const PAGE_FORMATS = ["text", "markdown", "html"] as const;

export type PageFormat = (typeof PAGE_FORMATS)[number];

/** Writes a page in a format. */
export function renderPage(page: Page, format: PageFormat): string {
    switch (format) {
        case "text":
            return asText(page);
        case "markdown":
            return asMarkdown(page);
        case "html":
            return asHtml(page);
    }
}

function asText({ summary, sections }: Page): string {
    const lines = sections.flatMap(({ title, lines: own = [], table }) => [
        "",
        title,
        ...own.map((line) => `  ${line}`),
        ...(table === undefined
            ? []
            : alignColumns([table.columns.map((name) => name.toUpperCase()), ...table.rows]).map(
                  (line) => `  ${line}`,
              )),
    ]);
    return [summary, ...lines].map((line) => `${printable(line.trimEnd())}\n`).join("");
}

function asMarkdown({ title, summary, sections }: Page): string {
    const parts = sections.flatMap(({ title: name, lines = [], table }) => [
        `### ${escapeMarkdown(name)}`,
        ...(lines.length === 0 ? [] : [lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
        ...(table === undefined
            ? []
            : [
                  [table.columns, table.columns.map(() => "---"), ...table.rows.map((row) => row.map(escapeMarkdown))]
                      .map((row) => `| ${row.join(" | ")} |`)
                      .join("\n"),
              ]),
    ]);
    return `${[`## ${escapeMarkdown(title)}`, escapeMarkdown(summary), ...parts].join("\n\n")}\n`;
}

function asHtml({ title, summary, sections }: Page): string {
    const parts = sections.map(({ title: name, lines = [], table }) => {
        const rows = table?.rows.map((row) => `<tr>${htmlCells(row)}</tr>`) ?? [];
        const grid = table === undefined ? "" : htmlTable({ columns: table.columns, rows });
        return `<section><h2>${escapeXml(name)}</h2>${htmlList(lines)}${grid}</section>`;
    });
    const header = `<header><h1>${escapeXml(title)}</h1><p>${escapeXml(summary)}</p></header>`;
    return htmlPage(title, `<body>${header}<main>${parts.join("")}</main></body>`);
}
