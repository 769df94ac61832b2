import { access } from "./diagnoses/access";
import { account } from "./diagnoses/account";
import { backend } from "./diagnoses/backend";
import { instance } from "./diagnoses/instance";
import { listener } from "./diagnoses/listener";
import { network } from "./diagnoses/network";
import type { Diagnosis, DiagnosisRow } from "./diagnoses/row";
import { traffic } from "./diagnoses/traffic";

export type { Diagnosis, DiagnosisRow } from "./diagnoses/row";

/** An error of the cloud or of the Cloud Controller Manager, as far as it is known. */
export interface Symptom {
    readonly code?: string;
    readonly message?: string;
}

// The order counts: the first row that matches wins, so rows with the narrower pattern stand first within each table.
const rows: readonly DiagnosisRow[] = [
    ...backend,
    ...instance,
    ...listener,
    ...network,
    ...account,
    ...access,
    ...traffic,
];

/** All findings, for the documentation. */
export const diagnoses: readonly DiagnosisRow[] = rows;

/**
 * Cause and remedy of an error code, of an error message, or of the text of a Service event that quotes both.
 *
 * @returns undefined where nothing is known; the error then has to speak for itself
 */
export function diagnose(symptom: Symptom | string): Diagnosis | undefined {
    const { code = "", message = "" } = typeof symptom === "string" ? { message: symptom } : symptom;
    const found = rows.find(
        (row) =>
            (row.ofController !== true || code === "") &&
            (row.messages?.some((pattern) => pattern.test(message)) ||
                row.codes?.some((known) => matchesCode(known, code, message))),
    );
    if (!found) return undefined;
    const { code: known, cause, remedy, source } = found;
    return { code: known, cause, remedy, source };
}

/** A finding as people read it, line by line. */
export function formatDiagnosis({ cause, remedy, source }: Diagnosis): string {
    return `  cause: ${cause}\n  remedy: ${remedy}\n  see: ${source}`;
}

function matchesCode(known: string | RegExp, code: string, message: string): boolean {
    if (known instanceof RegExp)
        return known.test(code) || (code === "" && quotedCodes(message).some((quoted) => known.test(quoted)));
    return (
        code.toUpperCase() === known.toUpperCase() ||
        (code === "" && quotedCodes(message).some((quoted) => quoted.toUpperCase() === known.toUpperCase()))
    );
}

/** Words of a text that can be error codes. */
function quotedCodes(message: string): string[] {
    return message.match(/[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*/g) ?? [];
}
