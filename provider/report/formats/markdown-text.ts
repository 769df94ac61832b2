/** Text that markdown and HTML take for themselves is shown as it is; mentions notify nobody. */
export function escapeMarkdown(text: string): string {
    return text
        .replaceAll(/[\\`*_[\]|]/g, "\\$&")
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll("@", "&#64;")
        .replaceAll(/\s*[\r\n]+\s*/g, " ");
}
