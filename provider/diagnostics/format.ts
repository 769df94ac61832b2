import { type Diagnostic, formatPath, type Position } from "./diagnostic";

/** C0 and C1 controls, line and paragraph separators, and the marks that turn the direction of what follows. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Commands in the log of a pipeline: `##vso[…]` and `##[…]` anywhere in a line, `::…::` at its beginning. Sources:
 * Azure Pipelines, logging commands, and GitHub, workflow commands for Actions.
 */
const COMMAND = /#(?=#(?:vso)?\[)|:(?=:)(?<=^\s*:)/gi;

export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped).replace(COMMAND, escaped);

export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n");

/** Returns a value as safe JSON of several lines, with `indent` blanks per level. */
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

/** `svc.yaml:7:5`, `7:5` for a nameless text. */
export const formatPosition = ({ file, line, col }: Position): string =>
    file === undefined ? `${line}:${col}` : `${printable(file)}:${line}:${col}`;

/** `spec.ports[0].port: must be a port`: the cause with the field in front of it. */
export function formatCause({ place, cause }: Pick<Diagnostic, "place" | "cause">): string {
    const path = formatPath(place.path ?? []);
    return printable(path === "" ? cause : `${path}: ${cause}`);
}

/**
 * Formats a diagnostic as compilers do, for the links of editors and terminals:
 *
 *     svc.yaml:7:5: error[annotation-value]: Service default/web: metadata.annotations["…"]: …
 *         remedy: …
 *         source: …
 */
export const formatDiagnostic = (diagnostic: Diagnostic): string =>
    formatLabelled(`${diagnostic.severity}[${diagnostic.code}]: `, diagnostic);

/** Formats a diagnostic for a log that prints the severity by itself: `svc.yaml:7:5: [annotation-value] Service …`. */
export const formatLogged = (diagnostic: Diagnostic): string => formatLabelled(`[${diagnostic.code}] `, diagnostic);

function formatLabelled(label: string, diagnostic: Diagnostic): string {
    const { place, remedy, source } = diagnostic;
    const { position, subject = "" } = place;
    const head = `${label}${subject === "" ? "" : `${subject}: `}${formatCause(diagnostic)}`;
    const lines = [position === undefined ? head : `${formatPosition(position)}: ${head}`];
    if (remedy !== undefined) lines.push(`    remedy: ${remedy}`);
    if (source !== undefined) lines.push(`    source: ${source}`);
    return lines.map(printable).join("\n");
}

/**
 * Most findings of a manifest, a run or a rule that are shown, more than a Service has annotations. The first often are
 * the cause of the others.
 */
export const MOST_SHOWN = 100;

/** Formats diagnostics in the order given: the first 100, and the number of the others. */
export function formatDiagnostics(list: readonly Diagnostic[]): string {
    const more = list.length - MOST_SHOWN;
    return [
        ...list.slice(0, MOST_SHOWN).map(formatDiagnostic),
        ...(more > 0 ? [`${more} more are not shown`] : []),
    ].join("\n");
}

/** Formats cause, remedy and source as sentences on one line, for errors of resources, which name the object. */
export const formatSentences = ({ cause, remedy, source }: Pick<Diagnostic, "cause" | "remedy" | "source">): string =>
    [cause, remedy && `Remedy: ${remedy}`, source && `Source: ${source}`]
        .filter((sentence) => sentence !== undefined)
        .map((sentence) => `${printable(sentence)}.`)
        .join(" ");

/** Error with all collected diagnostics. Its message is {@link formatDiagnostics}. */
export class DiagnosticsError extends Error {
    constructor(readonly diagnostics: readonly Diagnostic[]) {
        super(formatDiagnostics(diagnostics));
        this.name = "DiagnosticsError";
    }
}
