/**
 * Text from outside, safe for a line of a terminal or of a pipeline's log: characters that end the line, move the
 * cursor or turn the direction of writing, and commands of a pipeline, are escaped as `\xNN` or `\uNNNN`.
 */

/** C0 and C1 controls, line and paragraph separators, and the marks that turn the direction of what follows. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Commands in the log of a pipeline: `##vso[…]` and `##[…]` anywhere in a line, `::…::` at its beginning.
 * Sources: Azure Pipelines, logging commands; GitHub, workflow commands for Actions.
 */
const COMMAND = /#(?=#(?:vso)?\[)|:(?=:)(?<=^\s*:)/gi;

export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped).replace(COMMAND, escaped);

export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** Returns a value as safe JSON of several lines; `indent` = blanks per level. */
export const printableJson = (value: unknown, indent = 4): string =>
    `${JSON.stringify(value, undefined, indent).split("\n").map(inJson).join("\n")}\n`;

const inJson = (line: string): string =>
    [UNPRINTABLE, COMMAND].reduce(
        (text, form) =>
            text.replace(form, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`),
        line,
    );

/** Aligns rows of cells in columns, two spaces apart, without trailing blanks. */
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

function escaped(character: string): string {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
}
