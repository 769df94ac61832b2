import type { PolicyRemediation, PolicySummary, PolicyViolation } from "../policy";
import type { ValueMap } from "../value";
import type { Status, Step } from "./steps";

/** What a run reports. */
export interface DeployEvents {
    /** A step is about to act; resolves when that is on record. */
    before(step: Step): Promise<void>;
    /** A step has ended. */
    after(step: Step, status: Status, error: Error | undefined): void;
    /** Outputs of a component or of the stack have arrived. */
    outputs(step: Step): void;
    violation(urn: string, v: PolicyViolation): void;
    remediation(urn: string, r: PolicyRemediation, before: ValueMap, after: ValueMap): void;
    analyzed(urn: string, s: PolicySummary): void;
    remediated(urn: string, s: PolicySummary): void;
    stackAnalyzed(s: PolicySummary): void;
}
