/** Pages of tables and texts, for commands that say how things are: the same content for a terminal, a comment and a browser. */

import { alignColumns, printable } from "../../diagnostics";
import { escapeMarkdown } from "./markdown-text";
import { PAGE_STYLE } from "./style";
import { escapeXml } from "./svg";

/** What a command says. */
export interface Page {
    readonly title: string;
    /** What matters most, in a sentence. */
    readonly summary: string;
    readonly sections: readonly Section[];
}

/** A part of a page. */
export interface Section {
    readonly title: string;
    /** Lines of text; none where the table says it. */
    readonly lines?: readonly string[];
    readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** Formats of a page; JSON is the command's own data. */
export const PAGE_FORMATS = ["text", "markdown", "html"] as const;

/** See {@link renderPage}. */
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
        const list =
            lines.length === 0 ? "" : `<ul>${lines.map((line) => `<li>${escapeXml(line)}</li>`).join("")}</ul>`;
        const head = table?.columns.map((column) => `<th scope="col">${escapeXml(column)}</th>`).join("") ?? "";
        const rows =
            table?.rows
                .map((row) => `<tr>${row.map((cell) => `<td>${escapeXml(cell)}</td>`).join("")}</tr>`)
                .join("") ?? "";
        const grid = table === undefined ? "" : `<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`;
        return `<section><h2>${escapeXml(name)}</h2>${list}${grid}</section>`;
    });
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeXml(title)}</title><style>${PAGE_STYLE}</style></head><body><header><h1>${escapeXml(title)}</h1><p>${escapeXml(summary)}</p></header><main>${parts.join("")}</main></body></html>\n`;
}
