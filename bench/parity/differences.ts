import type { Case, CaseStep } from "./case";
import type { Difference } from "./compare";
import type { StepResult } from "./run-case";

/** A difference with all that may explain it. */
export interface Found {
    readonly recorded: Case;
    readonly step: CaseStep;
    /** Of the step, from 0. */
    readonly index: number;
    readonly results: readonly StepResult[];
    readonly result: StepResult;
    readonly difference: Difference;
    /** Every difference of the step. */
    readonly all: readonly Difference[];
}

/** Why something is meant to be different; undefined if it is not. */
export function reasonFor(_found: Found): string | undefined {
    return undefined;
}
