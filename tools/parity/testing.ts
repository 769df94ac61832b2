/** One-step case for the tests of the comparison. */
import type { Case, CaseStep } from "./case";
import { evaluateCase, type Verdict } from "./evaluate";
import type { StepResult } from "./run-case";

/** Evaluates a case whose only step had this result. */
export function evaluateStep(
    controller: Case["controller"],
    step: CaseStep,
    result: Pick<StepResult, "before" | "after"> & Partial<StepResult>,
): Verdict {
    const recorded: Case = {
        id: "a",
        title: "a",
        controller,
        cloudBefore: {},
        cluster: {
            clusterId: "c1",
            vpcId: "vpc-1",
            regionId: "cn-hangzhou",
            vswitches: [],
            networkPlugin: "flannel",
            nodes: [],
            enis: {},
        },
        steps: [step],
    };
    const done = {
        outcome: { ok: true, errors: [], changes: 0 },
        services: new Map(),
        statuses: new Map(),
        subject: "default/web",
    };
    return evaluateCase(recorded, [{ ...done, ...result }]);
}
