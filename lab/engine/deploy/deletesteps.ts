import { touched, type ResourceState } from "../state";
import type { StepContext } from "./context";
import { withErrorHooks } from "./errorhooks";
import { beforeHooks } from "./hooks";
import { failure, ProtectedError, Step, type Applied, type Op } from "./step";

/** Deletes an object, or only forgets it where that is asked for. */
export class DeleteStep extends Step {
    /**
     * @param replacing part of a replacement
     * @param pendingReplace deleted before the new object is made: the record stays until then
     */
    constructor(
        d: StepContext,
        private readonly gone: ReadonlySet<string>,
        old: ResourceState,
        private readonly replacing = false,
        private readonly pendingReplace = false,
    ) {
        super(d, old, undefined);
    }
    get op(): Op {
        const old = this.old as ResourceState;
        if (old.external) return this.replacing ? "discard-replaced" : "discard";
        return this.replacing ? "delete-replaced" : "delete";
    }
    get logical(): boolean {
        return !this.replacing;
    }
    async apply(): Promise<Applied> {
        const old = this.old as ResourceState;
        if (!this.replacing && old.protect) {
            const error = new ProtectedError(
                `resource "${old.urn}" cannot be deleted\nbecause it is protected. To unprotect the resource, ` +
                    "either remove the `protect` flag from the resource in your Pulumi program and run `pulumi up`, " +
                    `or use the command:\n\`pulumi state unprotect '${old.urn}'\``,
            );
            return { status: "ok", error };
        }
        const forget = old.external || old.retainOnDelete || (old.deletedWith !== "" && this.gone.has(old.deletedWith));
        const facts = { oldInputs: old.inputs, oldOutputs: old.outputs, oldState: old };
        try {
            await beforeHooks(this.deployment, old, "BeforeDelete", facts);
            if (!this.preview && !forget && old.custom) {
                await withErrorHooks(this.deployment, old, "delete", facts, () =>
                    this.provider().delete(
                        this.identity,
                        old.id,
                        old.inputs,
                        old.outputs,
                        old.customTimeouts.delete ?? 0,
                    ),
                );
            }
        } catch (e) {
            return failure(e);
        }
        if (this.pendingReplace) {
            old.pendingReplacement = true;
            touched(old);
        }
        return { status: "ok" };
    }
}

/** Drops the record of an object that was deleted for a replacement which never came. */
export class RemovePendingReplaceStep extends Step {
    readonly op = "remove-pending-replace";
    readonly logical = false;
    constructor(d: StepContext, old: ResourceState) {
        super(d, old, undefined);
    }
    async apply(): Promise<Applied> {
        return { status: "ok" };
    }
}
