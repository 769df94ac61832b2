import { accountErrors } from "./diagnoses/account";
import { backendErrors, trafficSymptoms } from "./diagnoses/backend";
import { eventReasons } from "./diagnoses/event";
import { instanceErrors } from "./diagnoses/instance";
import { listenerErrors, networkErrors } from "./diagnoses/listener";
import type { DiagnosisRow } from "./diagnoses/row";

export type { DiagnosisRow } from "./diagnoses/row";

/** Error of the cloud or of the Cloud Controller Manager. */
export interface Symptom {
    readonly code?: string;
    readonly message?: string;
}

/** All diagnoses. The first row that matches wins: rows with narrower patterns come first. */
export const diagnoses = [
    ...backendErrors,
    ...instanceErrors,
    ...listenerErrors,
    ...networkErrors,
    ...accountErrors,
    ...trafficSymptoms,
    ...eventReasons,
] satisfies readonly DiagnosisRow[];

/** Known error of the cloud or of the Cloud Controller Manager: its meaning and its remedy. */
export type Diagnosis = Pick<(typeof diagnoses)[number], "code" | "cause" | "remedy" | "source">;

/** Returns the diagnosis of an error code, a message, or an event that quotes both, or undefined if it is not known. */
export function diagnose(symptom: Symptom | string): Diagnosis | undefined {
    const { code = "", message = "" } = typeof symptom === "string" ? { message: symptom } : symptom;
    // Without a code, words of the message can be error codes.
    const quoted = code === "" ? (message.match(/[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*/g) ?? []) : [];
    const given = [...new Set([code, ...quoted])];
    const found = diagnoses.find(
        (row: DiagnosisRow) =>
            (row.ofController !== true || code === "") &&
            (row.messages?.some((pattern) => pattern.test(message)) ||
                row.codes?.some((known) => matchesCode(known, given))),
    );
    if (!found) return undefined;
    const { code: known, cause, remedy, source } = found;
    return { code: known, cause, remedy, source };
}

export const formatDiagnosis = ({ cause, remedy, source }: Diagnosis): string =>
    `  cause: ${cause}\n  remedy: ${remedy}\n  see: ${source}`;

const matchesCode = (known: string | RegExp, given: readonly string[]): boolean =>
    given.some((one) => (known instanceof RegExp ? known.test(one) : one.toUpperCase() === known.toUpperCase()));
