/** Formats of a report. */

import { printableJson } from "../../../provider/diagnostics";
import type { Report } from "../model";
import { renderText } from "./text";
import { renderHtml } from "./html";
import { MARKDOWN_LIMIT, renderMarkdown } from "./markdown";

export const FORMATS = ["text", "markdown", "json", "html"] as const;

export type Format = (typeof FORMATS)[number];

export interface RenderOptions {
    /** Most characters of markdown. Default 65,536, which is GitHub's limit for a comment; GitLab's is 1,000,000. */
    readonly characters?: number;
}

/** Writes a report in a format. JSON follows docs/report.schema.json. */
export function renderReport(report: Report, format: Format, options: RenderOptions = {}): string {
    switch (format) {
        case "text":
            return renderText(report);
        case "markdown":
            return renderMarkdown(report, options.characters ?? MARKDOWN_LIMIT);
        case "json":
            return printableJson(report);
        case "html":
            return renderHtml(report);
    }
}
