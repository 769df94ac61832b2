import { printable } from "../../diagnostics";

/** Text that markdown and HTML take for themselves is shown as it is; mentions notify nobody. */
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
