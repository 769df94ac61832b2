import { InitError, ProviderError, type Identity, type Provider } from "../plugin";
import { copyState, isProviderType, newState, timeText, touched, type ResourceState } from "../state";
import { deepEquals, diffMaps, mapEquals, UNKNOWN_TEXT, type DetailedDiff } from "../value";
import type { Deployment } from "./deployment";
import { diffResource, invertDiff } from "./diff";
import type { ReadEvent, RegisterEvent } from "./goal";
import { beforeHooks } from "./hooks";

/** Names of operations as events and displays use them. */
export type Op =
    | "same" | "create" | "update" | "delete" | "replace" | "create-replacement" | "delete-replaced" | "read" | "read-replacement" | "refresh"
    | "discard" | "discard-replaced" | "import" | "import-replacement" | "remove-pending-replace";

/** How a step ended. `partial` = the object exists but is not in order; `unknown` = nobody knows. */
export type Status = "ok" | "partial" | "unknown";

/** What a step that has been applied leaves behind. */
export interface Applied {
    status: Status;
    error?: Error;
    /** Tells whoever waits for the step; called after the result has been recorded. */
    complete?: () => void;
}

/** The error of deleting something protected: it does not stop the other deletions. */
export class ProtectedError extends Error {}

/** One operation on one resource. */
export abstract class Step {
    keys: string[] = [];
    diffs: string[] = [];
    detailedDiff: DetailedDiff | undefined;

    constructor(
        readonly deployment: Deployment,
        readonly old: ResourceState | undefined,
        public now: ResourceState | undefined,
    ) {}

    abstract readonly op: Op;
    /** True for steps that count as a change of their own, false for the halves of a replacement. */
    abstract readonly logical: boolean;
    abstract apply(): Promise<Applied>;
    /** Tells whoever waits that the step has failed. */
    fail(): void {}
    /** Tells whoever waits that the step is left out because something it needs has failed. */
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

function failure(e: unknown): Applied {
    const error = e instanceof Error ? e : new Error(String(e));
    return { status: error instanceof ProviderError && error.unknownOutcome ? "unknown" : "ok", error };
}

abstract class RegisteredStep extends Step {
    constructor(d: Deployment, old: ResourceState | undefined, now: ResourceState, protected readonly reg: RegisterEvent | undefined) {
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

/** Nothing changes; the record may be rewritten. */
export class SameStep extends RegisteredStep {
    readonly op = "same";
    readonly logical = true;
    /** @param skippedCreate the resource does not exist and is not to be created in this run */
    constructor(d: Deployment, reg: RegisterEvent | undefined, old: ResourceState, now: ResourceState, readonly skippedCreate = false) {
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
                return { status: "ok", error: new Error(`bad provider state for resource ${this.urn}: ${(e as Error).message}`) };
            }
        }
        return { status: "ok", complete: this.succeed() };
    }
}

/** Makes a new object. */
export class CreateStep extends RegisteredStep {
    /** @param pendingDelete the old object is to be deleted at the end of the run */
    constructor(d: Deployment, reg: RegisterEvent, old: ResourceState | undefined, now: ResourceState, readonly replacing = false, private readonly pendingDelete = false) {
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
                const r = await this.provider().create(this.identity, now.inputs, now.customTimeouts.create ?? 0, this.preview);
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
    constructor(d: Deployment, reg: RegisterEvent, old: ResourceState, now: ResourceState, private readonly ignoreChanges: readonly string[]) {
        super(d, old, now, reg);
    }
    async apply(): Promise<Applied> {
        const [old, now] = [this.old as ResourceState, this.now as ResourceState];
        now.id = old.id;
        now.created = old.created;
        now.modified = old.modified;
        const applied: Applied = { status: "ok" };
        try {
            await beforeHooks(this.deployment, now, "BeforeUpdate", { newInputs: now.inputs, oldInputs: old.inputs, oldOutputs: old.outputs, newState: now, oldState: old });
            if (now.custom) {
                const r = await this.provider().update(
                    this.identity, old.id, old.inputs, old.outputs, now.inputs, now.customTimeouts.update ?? 0, this.ignoreChanges, this.preview,
                );
                now.outputs = r.outputs;
                now.refreshBeforeUpdate = r.refreshBeforeUpdate;
                now.modified = timeText();
            }
        } catch (e) {
            if (!(e instanceof InitError)) return { ...failure(e), status: "ok" };
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

/** Deletes an object, or only forgets it where that is asked for. */
export class DeleteStep extends Step {
    /**
     * @param replacing part of a replacement
     * @param pendingReplace deleted before the new object is made: the record stays until then
     */
    constructor(d: Deployment, private readonly gone: ReadonlySet<string>, old: ResourceState, private readonly replacing = false, private readonly pendingReplace = false) {
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
        try {
            await beforeHooks(this.deployment, old, "BeforeDelete", { oldInputs: old.inputs, oldOutputs: old.outputs, oldState: old });
            if (!this.preview && !forget && old.custom) {
                await this.provider().delete(this.identity, old.id, old.inputs, old.outputs, old.customTimeouts.delete ?? 0);
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
    constructor(d: Deployment, old: ResourceState) {
        super(d, old, undefined);
    }
    async apply(): Promise<Applied> {
        return { status: "ok" };
    }
}

/** Reads an object that is not managed; runs in previews, too. */
export class ReadStep extends Step {
    constructor(d: Deployment, private readonly event: ReadEvent, old: ResourceState | undefined, now: ResourceState, private readonly replacing = false) {
        super(d, old, now);
    }
    get op(): Op {
        return this.replacing ? "read-replacement" : "read";
    }
    get logical(): boolean {
        return !this.replacing;
    }
    override fail(): void {
        this.event.done({ state: this.subject, result: "failed" });
    }
    override skip(): void {
        this.event.done({ state: this.subject, result: "skipped" });
    }
    async apply(): Promise<Applied> {
        const [old, now] = [this.old, this.now as ResourceState];
        const applied: Applied = { status: "ok", complete: () => this.event.done({ state: now, result: "success" }) };
        if (now.id !== UNKNOWN_TEXT) {
            try {
                const r = await this.provider().read(this.identity, now.id, now.inputs, now.inputs);
                // "Gone" is no error here: the id stays.
                now.outputs = r.outputs ?? {};
                if (r.id !== "") now.id = r.id;
            } catch (e) {
                if (!(e instanceof InitError)) return failure(e);
                now.outputs = e.outputs;
                now.initErrors = e.reasons;
                applied.status = "partial";
                applied.error = e;
            }
        }
        if (old) {
            if (this.replacing) {
                old.delete = true;
                touched(old);
            }
            now.created = old.created;
            now.modified = old.modified;
            if (!mapEquals(now.inputs, old.inputs) || !mapEquals(now.outputs, old.outputs)) now.modified = timeText();
        }
        return applied;
    }
}

/** Compares the record of a resource with the real object. */
export class RefreshStep extends Step {
    readonly op = "refresh";
    readonly logical = false;
    private changes: "none" | "some" | undefined;

    /** @param finished called with the refreshed state when a program waits for it; undefined if the object is gone */
    constructor(d: Deployment, old: ResourceState, private readonly finished?: (s: ResourceState | undefined) => void) {
        super(d, old, old);
    }
    /** True if the result is written at once, because the run goes on with it. */
    get persisted(): boolean {
        return this.finished !== undefined;
    }
    override get subject(): ResourceState {
        return this.old as ResourceState;
    }
    /** What the refresh turned out to be. */
    get resultOp(): Op {
        const old = this.old as ResourceState;
        if (!this.now) return "delete";
        if (this.now === old) return "same";
        if (old.external) return diffMaps(old.outputs, this.now.outputs) ? "update" : "same";
        return this.changes === "none" ? "same" : "update";
    }
    async apply(): Promise<Applied> {
        const old = this.old as ResourceState;
        if (!old.custom || isProviderType(old.type) || old.pendingReplacement) return { status: "ok", complete: () => this.finished?.(this.now) };
        let initErrors: string[] = [];
        try {
            const provider = this.provider();
            let read;
            try {
                read = await provider.read(this.identity, old.id, old.inputs, old.outputs);
            } catch (e) {
                if (!(e instanceof InitError)) return failure(e);
                initErrors = e.reasons;
                read = { id: e.id, outputs: e.outputs, inputs: e.inputs };
                this.deployment.diag.warning(old.urn, `Refreshed resource is in an unhealthy state:\n* ${initErrors.join("\n* ")}`);
            }
            if (!read.outputs || (read.id === "" && initErrors.length === 0)) this.now = undefined;
            else {
                const now = newState({ ...copyState(old), inputs: read.inputs ?? old.inputs, outputs: read.outputs, initErrors });
                if (read.id !== "") now.id = read.id;
                if (!mapEquals(now.inputs, old.inputs) || !mapEquals(now.outputs, old.outputs)) now.modified = timeText();
                this.now = now;
                if (!old.external) {
                    const d = invertDiff(await diffResource(provider, this.identity, now.id, now.inputs, now.outputs, old.inputs, old.ignoreChanges));
                    this.changes = d.changes === "none" ? "none" : "some";
                    this.diffs = d.changedKeys;
                    this.detailedDiff = d.detailedDiff;
                }
            }
        } catch (e) {
            return failure(e);
        }
        return { status: "ok", complete: () => this.finished?.(this.now) };
    }
}

/** Takes an existing object into management. */
export class ImportStep extends RegisteredStep {
    private imported: ResourceState | undefined;
    /** @param finished called with the state that was read, or undefined if the import failed */
    constructor(
        d: Deployment, reg: RegisterEvent, private readonly original: ResourceState | undefined, now: ResourceState, private readonly ignoreChanges: readonly string[],
        private readonly randomSeed: Uint8Array,
    ) {
        super(d, undefined, now, reg);
    }
    get op(): Op {
        return this.original ? "import-replacement" : "import";
    }
    get logical(): boolean {
        return !this.original;
    }
    /** The state as it was read; stands in for the old one in displays. */
    get readState(): ResourceState | undefined {
        return this.imported;
    }
    async apply(): Promise<Applied> {
        const now = this.now as ResourceState;
        try {
            const provider = this.provider();
            const read = await provider.read(this.identity, now.importID, undefined, undefined);
            if (!read.outputs || read.id === "") throw new Error(`resource '${now.importID}' does not exist`);
            if (!read.inputs) throw new Error(`provider does not support importing resources; please try updating the '${now.type.split(":")[0]}' plugin`);
            now.id = read.id || now.importID;
            now.outputs = read.outputs;
            now.created = now.modified = timeText();
            this.imported = newState({ ...copyState(now), inputs: read.inputs, outputs: read.outputs, aliases: [], created: undefined, modified: undefined });
            const ignored = this.deployment.ignoreChanges(now.inputs, read.inputs, this.ignoreChanges);
            const checked = await provider.check(this.identity, read.inputs, ignored, this.randomSeed);
            if (this.deployment.reportCheckFailures(now, checked.failures)) throw new Error("one or more inputs failed to validate");
            now.inputs = checked.inputs;
            const d = await diffResource(provider, this.identity, now.id, read.inputs, read.outputs, now.inputs, this.ignoreChanges);
            this.diffs = d.changedKeys;
            this.detailedDiff = d.detailedDiff;
            if (d.changes !== "none") {
                const message = `inputs to import do not match the existing resource: [${d.changedKeys.join(" ")}]`;
                if (!this.preview) throw new Error(message);
                this.deployment.diag.warning(this.urn, `${message}; importing this resource will fail`);
            }
        } catch (e) {
            return failure(e);
        }
        if (this.original) {
            this.original.delete = true;
            touched(this.original);
        }
        return { status: "ok", complete: this.succeed() };
    }
}

/** True for reads that changed what is known: only those count in the summary. */
export function readChanged(s: Step): boolean {
    return s.old !== undefined && s.now !== undefined && !deepEquals(s.old.outputs, s.now.outputs);
}
