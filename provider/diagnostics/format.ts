/** Diagnostics as text. Nothing reads these texts back. */

import type { Diagnostic, Position } from "./diagnostic";
import { formatPath } from "./path";
import { printable } from "./printable";

/** `svc.yaml:7:5`, `7:5` for a nameless text. */
export function formatPosition({ file, line, col }: Position): string {
    return file === undefined ? `${line}:${col}` : `${printable(file)}:${line}:${col}`;
}

/** `spec.ports[0].port: must be a port`: the cause with the field in front of it. */
export function formatCause({ place, cause }: Pick<Diagnostic, "place" | "cause">): string {
    const path = formatPath(place.path ?? []);
    return printable(path === "" ? cause : `${path}: ${cause}`);
}

/**
 * A diagnostic in the shape that compilers use, so that editors and terminals link it:
 *
 *     svc.yaml:7:5: error[annotation-value]: Service default/web: metadata.annotations["…"]: …
 *         remedy: …
 *         source: …
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
    const { code, severity, place, remedy, source } = diagnostic;
    const { position, subject = "" } = place;
    const head = `${severity}[${code}]: ${subject === "" ? "" : `${subject}: `}${formatCause(diagnostic)}`;
    const lines = [position === undefined ? head : `${formatPosition(position)}: ${head}`];
    if (remedy !== undefined) lines.push(`    remedy: ${remedy}`);
    if (source !== undefined) lines.push(`    source: ${source}`);
    return lines.map(printable).join("\n");
}

/** Most diagnostics in one text; nobody reads more, and the first ones often are the cause of the others. */
export const MOST_DIAGNOSTICS = 200;

/** Diagnostics as text, one below the other, in the order given: the first 200, and how many there are more. */
export function formatDiagnostics(list: readonly Diagnostic[]): string {
    const more = list.length - MOST_DIAGNOSTICS;
    return [
        ...list.slice(0, MOST_DIAGNOSTICS).map(formatDiagnostic),
        ...(more > 0 ? [`${more} more are not shown`] : []),
    ].join("\n");
}

/** Cause, remedy and source as sentences on one line, for errors of resources, which name the object themselves. */
export function formatSentences({ cause, remedy, source }: Pick<Diagnostic, "cause" | "remedy" | "source">): string {
    return [
        cause,
        ...(remedy === undefined ? [] : [`Remedy: ${remedy}`]),
        ...(source === undefined ? [] : [`Source: ${source}`]),
    ]
        .map((sentence) => `${printable(sentence)}.`)
        .join(" ");
}
