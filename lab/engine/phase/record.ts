import { Journal, type DeployEvents, type Diagnostics, type Op, type Status, type Step } from "../deploy";
import { readChanged, RefreshStep } from "../deploy/steps";
import { isInternal, stepFacts } from "../events";
import { MESSAGE_END } from "./messages";
import type { RunRequestOptions } from "./request";

/** Records and reports what the steps of a run do. */
export class RunRecord {
    /** How often each kind of step was taken. */
    readonly changes: Record<string, number> = {};
    /** True if a step ended and it is not known what it has done. */
    maybeCorrupt = false;
    private steps = 0;
    /** Stores it. */
    private journal: Journal | undefined;

    constructor(
        private readonly r: RunRequestOptions,
        private readonly diag: Diagnostics,
    ) {}

    /** Begins to store; previews are not stored. */
    open(): void {
        if (this.r.save) this.journal = new Journal(this.r.snapshot, this.r.save);
    }
    /** Resolves when everything is stored. */
    async close(): Promise<void> {
        await this.journal?.close();
    }
    /** Stores nothing from now on. */
    abandon(): void {
        this.journal?.abandon();
    }

    private get preview(): boolean {
        return this.r.options.preview;
    }

    /** What the deployment reports while it runs. */
    deployEvents(): DeployEvents {
        const { events } = this.r;
        const planning = this.preview;
        return {
            before: async (step) => {
                events({ kind: "begin", step: stepFacts(step), planning });
                await this.journal?.begin(step);
            },
            after: (step, status, error) => this.stepEnded(step, status, error),
            outputs: (step) => {
                events({ kind: "outputs", step: stepFacts(step), planning });
                this.journal?.outputsChanged(step);
            },
            violation: (urn, violation) =>
                events({
                    kind: "violation",
                    urn,
                    violation: { ...violation, message: violation.message + MESSAGE_END },
                }),
            remediation: (urn, remediation, before, after) =>
                events({ kind: "remediation", urn, remediation, before, after }),
            analyzed: (urn, summary) => events({ kind: "analyzeSummary", urn, summary }),
            remediated: (urn, summary) => events({ kind: "remediateSummary", urn, summary }),
            stackAnalyzed: (summary) => events({ kind: "stackSummary", summary }),
        };
    }

    private stepEnded(step: Step, status: Status, error: Error | undefined): void {
        const { events, options } = this.r;
        const internal = isInternal(step);
        if (error) {
            if (status === "unknown" && !this.preview) this.maybeCorrupt = true;
            this.diag.error(
                internal ? "" : step.urn,
                this.preview ? `Preview failed: ${error.message}` : error.message,
            );
            if (!this.preview) events({ kind: "failed", step: stepFacts(step), status, steps: this.steps });
        } else {
            let op: Op = step.op;
            let record = step.logical;
            if (step instanceof RefreshStep && options.kind === "refresh") {
                op = step.resultOp;
                record = true;
            }
            if (step.op === "read") record = readChanged(step);
            if (record && !internal) {
                this.steps++;
                this.changes[op] = (this.changes[op] ?? 0) + 1;
            }
            const shown =
                this.preview ||
                step.subject.custom ||
                (options.refresh && step.op === "refresh") ||
                step.op === "delete";
            if (shown) events({ kind: "outputs", step: stepFacts(step, op), planning: this.preview });
        }
        // A half-failed update: the object has new outputs, but not the inputs that were asked for.
        if (status === "partial" && step.op === "update" && step.now && step.old)
            step.now.inputs = { ...step.old.inputs };
        this.journal?.end(step, !error || status === "partial");
    }
}
