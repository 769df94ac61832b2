import { printable } from "../../diagnostics";

/** Text that markdown and HTML take for themselves is shown as it is; mentions notify nobody. */
export function escapeMarkdown(text: string): string {
    return printable(text.replaceAll(/\s*[\r\n]+\s*/g, " "))
        .replaceAll(/[\\`*_[\]|]/g, "\\$&")
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll("@", "&#64;");
}
