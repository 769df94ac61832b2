import { InitError } from "../plugin";
import { copyState, isProviderType, newState, timeText, touched, type ResourceState } from "../state";
import { deepEquals, diffMaps, mapEquals, UNKNOWN_TEXT } from "../value";
import type { StepContext } from "./context";
import { diffResource, invertDiff } from "./diff";
import type { ReadEvent } from "./goal";
import { failure, Step, type Applied, type Op } from "./step";

/** Reads an object that is not managed; runs in previews, too. */
export class ReadStep extends Step {
    constructor(
        d: StepContext,
        private readonly event: ReadEvent,
        old: ResourceState | undefined,
        now: ResourceState,
        private readonly replacing = false,
    ) {
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
    /** A result with which the run continues is written at once. */
    override readonly continues: boolean;
    private changes: "none" | "some" | undefined;

    /** @param finished called with the refreshed state when a program waits for it; undefined if the object is gone */
    constructor(
        d: StepContext,
        old: ResourceState,
        private readonly finished?: (s: ResourceState | undefined) => void,
    ) {
        super(d, old, old);
        this.continues = finished !== undefined;
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
        if (!old.custom || isProviderType(old.type) || old.pendingReplacement)
            return { status: "ok", complete: () => this.finished?.(this.now) };
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
                this.deployment.diag.warning(
                    old.urn,
                    `Refreshed resource is in an unhealthy state:\n* ${initErrors.join("\n* ")}`,
                );
            }
            if (!read.outputs || (read.id === "" && initErrors.length === 0)) this.now = undefined;
            else {
                const now = newState({
                    ...copyState(old),
                    inputs: read.inputs ?? old.inputs,
                    outputs: read.outputs,
                    initErrors,
                });
                if (read.id !== "") now.id = read.id;
                if (!mapEquals(now.inputs, old.inputs) || !mapEquals(now.outputs, old.outputs))
                    now.modified = timeText();
                this.now = now;
                if (!old.external) {
                    const d = invertDiff(
                        await diffResource(
                            provider,
                            this.identity,
                            now.id,
                            now.inputs,
                            now.outputs,
                            old.inputs,
                            old.ignoreChanges,
                        ),
                    );
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

/** True for reads that changed what is known: only those count in the summary. */
export function readChanged(s: Step): boolean {
    return s.old !== undefined && s.now !== undefined && !deepEquals(s.old.outputs, s.now.outputs);
}
