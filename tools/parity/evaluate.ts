import type { Case } from "./case";
import { compareStep, type Difference } from "./compare";
import { reasonFor } from "./differences";
import type { StepResult } from "./run-case";

/** The result of a case: equal to the recording, different for a known reason, or wrong. */
export interface Verdict {
    readonly id: string;
    readonly title: string;
    readonly kind: "equal" | "different" | "wrong";
    readonly differences: readonly Difference[];
}

/** Compares the results of a case with its recording. */
export function evaluateCase(recorded: Case, results: readonly StepResult[]): Verdict {
    const differences = results.flatMap((result, index): Difference[] => {
        const step = recorded.steps[index];
        if (step === undefined) return [];
        const all = compareStep(step, index + 1, result, recorded.cloudBefore.loadBalancers);
        return all.map((difference) => {
            const reason = reasonFor({ recorded, step, index, results, result, difference, all });
            return reason === undefined ? difference : { ...difference, reason };
        });
    });
    const kind =
        differences.length === 0
            ? "equal"
            : differences.every(({ reason }) => reason !== undefined)
              ? "different"
              : "wrong";
    return { id: recorded.id, title: recorded.title, kind, differences };
}
