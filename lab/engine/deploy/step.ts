import { ProviderError, type Identity, type Provider } from "../plugin";
import { type ResourceState } from "../state";
import { type DetailedDiff } from "../value";
import type { StepContext } from "./context";
import type { RegisterEvent } from "./goal";

/** Names of operations as events and displays use them. */
export type Op =
    | "same"
    | "create"
    | "update"
    | "delete"
    | "replace"
    | "create-replacement"
    | "delete-replaced"
    | "read"
    | "read-replacement"
    | "refresh"
    | "discard"
    | "discard-replaced"
    | "import"
    | "import-replacement"
    | "remove-pending-replace";

const NO_CHANGES: readonly string[] = ["same", "read", "read-replacement", "discard"] satisfies Op[];

/** True for operations that change something. Reads only learn what is there. */
export function isChange(op: string): boolean {
    return !NO_CHANGES.includes(op);
}

/** How a step ended. `partial` = the object exists but is not in order; `unknown` = it is not known whether anything happened. */
export type Status = "ok" | "partial" | "unknown";

/** What a step that has been applied leaves behind. */
export interface Applied {
    status: Status;
    error?: Error;
    /** Resolves what waits for the step; called after the result has been recorded. */
    complete?: () => void;
}

/** The error of deleting something protected: it does not stop the other deletions. */
export class ProtectedError extends Error {}

/** One operation on one resource. */
export abstract class Step {
    /** True if the generator decides about the resource again once the step has ended. */
    readonly continues: boolean = false;
    /** The step of another chain that has to be done before; without it, this one cannot be. */
    after: Step | undefined;
    keys: string[] = [];
    diffs: string[] = [];
    detailedDiff: DetailedDiff | undefined;

    constructor(
        readonly deployment: StepContext,
        readonly old: ResourceState | undefined,
        public now: ResourceState | undefined,
    ) {}

    abstract readonly op: Op;
    /** True for steps that count as a change of their own, false for the halves of a replacement. */
    abstract readonly logical: boolean;
    abstract apply(): Promise<Applied>;
    /** Reports the failure to what waits for the step. */
    fail(): void {}
    /** Reports that the step is skipped because something it depends on has failed. */
    skip(): void {}

    /** The state the step is about. */
    get subject(): ResourceState {
        return (this.now ?? this.old) as ResourceState;
    }
    get urn(): string {
        return this.subject.urn;
    }
    get type(): string {
        return this.subject.type;
    }
    get providerRef(): string {
        return this.subject.provider;
    }
    protected get identity(): Identity {
        return identityOf(this.urn, this.type);
    }
    protected get preview(): boolean {
        return this.deployment.options.preview;
    }
    protected provider(): Provider {
        return this.deployment.providerFor(this.subject);
    }
}

/** Identity of a resource in calls. */
export function identityOf(urn: string, type: string): Identity {
    return { urn, type, name: urn.split("::").slice(3).join("::") };
}

export function failure(e: unknown): Applied {
    const error = e instanceof Error ? e : new Error(String(e));
    return { status: error instanceof ProviderError && error.unknownOutcome ? "unknown" : "ok", error };
}

export abstract class RegisteredStep extends Step {
    constructor(
        d: StepContext,
        old: ResourceState | undefined,
        now: ResourceState,
        protected readonly reg: RegisterEvent | undefined,
    ) {
        super(d, old, now);
    }
    override fail(): void {
        this.reg?.done({ state: this.subject, result: "failed" });
    }
    override skip(): void {
        this.reg?.done({ state: this.subject, result: "skipped" });
    }
    protected succeed(): () => void {
        return () => this.reg?.done({ state: this.subject, result: "success" });
    }
}
