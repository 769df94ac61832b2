/**
 * Text from outside as it may stand in a line of a terminal or of a pipeline's log: what would end the line, move the cursor or turn the direction of writing is shown as `\xNN` or
 * `\uNNNN`, and so is what a pipeline would take for a command of its own.
 */

/** C0 and C1 controls, line and paragraph separators, and the marks that turn the direction of what follows. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Commands in the log of a pipeline: `##vso[…]` and `##[…]` anywhere in a line, `::…::` at its beginning. Sources: Azure Pipelines, logging commands; GitHub, workflow commands for
 * Actions.
 */
const COMMAND = /#(?=#(?:vso)?\[)|:(?=:)(?<=^\s*:)/gi;

/** The text on one line that says nothing to a terminal or a pipeline. */
export function printable(text: string): string {
    return text.replace(UNPRINTABLE, escaped).replace(COMMAND, escaped);
}

/** Text of several lines, each of which is {@link printable}. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** A value as JSON of several lines that says nothing to a terminal or a pipeline either: within JSON all of that stands in strings. @param indent blanks of a level */
export const printableJson = (value: unknown, indent = 4): string =>
    `${JSON.stringify(value, undefined, indent).split("\n").map(inJson).join("\n")}\n`;

const inJson = (line: string): string =>
    [UNPRINTABLE, COMMAND].reduce(
        (text, form) =>
            text.replace(form, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`),
        line,
    );

function escaped(character: string): string {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
}
