/** The formats of a report. */

import type { Report } from "../model";
import { renderJson } from "./json";
import { renderText } from "./text";
import { renderHtml } from "./html";
import { MARKDOWN_LIMIT, renderMarkdown } from "./markdown";

/** See {@link renderReport}. */
export const FORMATS = ["text", "markdown", "json", "html"] as const;

export type Format = (typeof FORMATS)[number];

/** Whether a text names a format. */
export const isFormat = (text: string): text is Format => (FORMATS as readonly string[]).includes(text);

/** How to write a report. */
export interface RenderOptions {
    /** Most characters of markdown. Default 65,536, which is GitHub's limit for a comment; GitLab's is 1,000,000. */
    readonly characters?: number;
}

/** Writes a report in a format. */
export function renderReport(report: Report, format: Format, options: RenderOptions = {}): string {
    switch (format) {
        case "text":
            return renderText(report);
        case "markdown":
            return renderMarkdown(report, options.characters ?? MARKDOWN_LIMIT);
        case "json":
            return renderJson(report);
        case "html":
            return renderHtml(report);
    }
}
