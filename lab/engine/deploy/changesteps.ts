import { InitError } from "../plugin";
import { isProviderType, timeText, touched, type ResourceState } from "../state";
import type { StepContext } from "./context";
import type { RegisterEvent } from "./goal";
import { withErrorHooks } from "./errorhooks";
import { beforeHooks } from "./hooks";
import { failure, RegisteredStep, Step, type Applied, type Op } from "./step";

/** Nothing changes; the record may be rewritten. */
export class SameStep extends RegisteredStep {
    readonly op = "same";
    readonly logical = true;
    /** @param skippedCreate the resource does not exist and is not to be created in this run */
    constructor(
        d: StepContext,
        reg: RegisterEvent | undefined,
        old: ResourceState,
        now: ResourceState,
        readonly skippedCreate = false,
    ) {
        super(d, old, now, reg);
    }
    async apply(): Promise<Applied> {
        const [old, now] = [this.old as ResourceState, this.now as ResourceState];
        now.id = old.id;
        now.outputs = old.outputs;
        if (isProviderType(now.type) && !this.skippedCreate) {
            try {
                await this.deployment.providers.same({ ...now, inputs: old.inputs });
            } catch (e) {
                return {
                    status: "ok",
                    error: new Error(`bad provider state for resource ${this.urn}: ${(e as Error).message}`),
                };
            }
        }
        return { status: "ok", complete: this.succeed() };
    }
}

/** Makes a new object. */
export class CreateStep extends RegisteredStep {
    /** @param pendingDelete the old object is to be deleted at the end of the run */
    constructor(
        d: StepContext,
        reg: RegisterEvent,
        old: ResourceState | undefined,
        now: ResourceState,
        readonly replacing = false,
        private readonly pendingDelete = false,
    ) {
        super(d, old, now, reg);
    }
    get op(): Op {
        return this.replacing ? "create-replacement" : "create";
    }
    get logical(): boolean {
        return !this.replacing;
    }
    async apply(): Promise<Applied> {
        const now = this.now as ResourceState;
        const applied: Applied = { status: "ok" };
        try {
            await beforeHooks(this.deployment, now, "BeforeCreate", { newInputs: now.inputs, newState: now });
            if (now.custom) {
                const r = await withErrorHooks(
                    this.deployment,
                    now,
                    "create",
                    { newInputs: now.inputs, newState: now },
                    () =>
                        this.provider().create(this.identity, now.inputs, now.customTimeouts.create ?? 0, this.preview),
                );
                if (!this.preview && r.id === "") throw new Error("provider did not return an ID from Create");
                now.id = r.id;
                now.outputs = r.outputs;
                now.refreshBeforeUpdate = r.refreshBeforeUpdate;
            }
        } catch (e) {
            if (!(e instanceof InitError)) return { ...failure(e), status: "ok" };
            now.id = e.id;
            now.outputs = e.outputs;
            now.initErrors = e.reasons;
            applied.status = "partial";
            applied.error = e;
        }
        now.created = now.modified = timeText();
        if (this.replacing && this.pendingDelete && this.old) {
            this.old.delete = true;
            touched(this.old);
        }
        if (!applied.error) applied.complete = this.succeed();
        return applied;
    }
}

/** Changes an existing object. */
export class UpdateStep extends RegisteredStep {
    readonly op = "update";
    readonly logical = true;
    constructor(
        d: StepContext,
        reg: RegisterEvent,
        old: ResourceState,
        now: ResourceState,
        private readonly ignoreChanges: readonly string[],
    ) {
        super(d, old, now, reg);
    }
    async apply(): Promise<Applied> {
        const [old, now] = [this.old as ResourceState, this.now as ResourceState];
        now.id = old.id;
        now.created = old.created;
        now.modified = old.modified;
        const applied: Applied = { status: "ok" };
        const facts = {
            newInputs: now.inputs,
            oldInputs: old.inputs,
            oldOutputs: old.outputs,
            newState: now,
            oldState: old,
        };
        try {
            await beforeHooks(this.deployment, now, "BeforeUpdate", facts);
            if (now.custom) {
                const r = await withErrorHooks(this.deployment, now, "update", facts, () =>
                    this.provider().update(
                        this.identity,
                        old.id,
                        old.inputs,
                        old.outputs,
                        now.inputs,
                        now.customTimeouts.update ?? 0,
                        this.ignoreChanges,
                        this.preview,
                    ),
                );
                now.outputs = r.outputs;
                now.refreshBeforeUpdate = r.refreshBeforeUpdate;
                now.modified = timeText();
            }
        } catch (e) {
            if (!(e instanceof InitError)) return failure(e);
            now.outputs = e.outputs;
            now.initErrors = e.reasons;
            now.modified = timeText();
            applied.status = "partial";
            applied.error = e;
        }
        if (!applied.error) applied.complete = this.succeed();
        return applied;
    }
}

/** Stands for a replacement as a whole; does nothing by itself. */
export class ReplaceStep extends Step {
    readonly op = "replace";
    readonly logical = true;
    async apply(): Promise<Applied> {
        return { status: "ok" };
    }
}
