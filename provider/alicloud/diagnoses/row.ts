import type { CloudErrorCode, Problem } from "../../diagnostics";

/** This client's own code for an answer of another shape than documented. */
export const UNEXPECTED_ANSWER = "UnexpectedAnswer";

/** A known error: what it means and what to do about it, in the terms of this package. */
export type Diagnosis = Pick<Problem<CloudErrorCode>, "code" | "cause" | "remedy"> & {
    /** Alibaba Cloud document that describes the error. */
    readonly source: string;
};

/** One row of the tables: what to look for, and the finding. */
export interface DiagnosisRow extends Diagnosis {
    /** Error codes. They are found too where a longer text quotes them, as events of the Cloud Controller Manager do. */
    readonly codes?: readonly (string | RegExp)[];
    /** What the message says. */
    readonly messages?: readonly RegExp[];
    /** It is found in texts of the Cloud Controller Manager only: an error of this package's own calls, which has a code, means something else. */
    readonly ofController?: true;
}
