import { printable } from "./printable";

/** Rows of cells as lines of text with their columns below one another, two spaces apart; nothing follows the last cell. */
export function alignColumns(texts: readonly (readonly string[])[]): string[] {
    const rows = texts.map((row) => row.map(printable));
    const columns = Math.max(0, ...rows.map((row) => row.length));
    const widths = Array.from({ length: columns }, (_, column) =>
        Math.max(...rows.map((row) => (row[column] ?? "").length)),
    );
    return rows.map((row) =>
        row
            .map((cell, column) => cell.padEnd(widths[column] ?? 0))
            .join("  ")
            .trimEnd(),
    );
}
