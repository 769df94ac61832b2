import { setImmediate, setTimeout } from "node:timers/promises";
import {
    inDependencyOrder,
    resolveAliases,
    touched,
    type PendingOperation,
    type ResourceState,
    type Snapshot,
} from "../state";
import { mapEquals } from "../value";
import type { SameStep, Step } from "./steps";

/** Stores a snapshot; called with a new one whenever something has to survive a crash. */
export type SaveSnapshot = (s: Snapshot) => void;

const OPERATIONS: Partial<Record<Step["op"], PendingOperation["type"]>> = {
    create: "creating",
    "create-replacement": "creating",
    update: "updating",
    delete: "deleting",
    "delete-replaced": "deleting",
    discard: "deleting",
    "discard-replaced": "deleting",
    read: "reading",
    "read-replacement": "reading",
    import: "importing",
    "import-replacement": "importing",
};

/**
 * Keeps the record of a running deployment: which steps have begun, which are done. What has begun is on disk before the
 * step may act; writes that are asked for at the same time are done as one.
 */
export class Journal {
    private readonly news: ResourceState[] = [];
    private readonly done = new Set<ResourceState>();
    private readonly operations = new Map<ResourceState, PendingOperation>();
    private scheduled: Promise<void> | undefined;
    private dirty = false;
    private closed = false;
    /** When the next write may start: a run with thousands of resources gets as much time as its writes take. */
    private nextWrite = 0;

    /**
     * @param base the state before the run; a refresh changes it in place during the run
     * @param now a clock in milliseconds
     */
    constructor(
        private readonly base: Snapshot,
        private readonly save: SaveSnapshot,
        private readonly now: () => number = () => performance.now(),
    ) {}

    /** The state as it is now. */
    snapshot(): Snapshot {
        const resources = [...this.news, ...this.base.resources].filter((r) => !this.done.has(r));
        const kept = this.base.pendingOperations.filter((o) => o.type === "creating");
        const pendingOperations = [...kept, ...this.operations.values()];
        const snapshot = resolveAliases({ ...this.base, resources, pendingOperations });
        return { ...snapshot, resources: inDependencyOrder(snapshot.resources) };
    }

    /** Notes that a step begins; resolves when the note is on disk. */
    async begin(step: Step): Promise<void> {
        const type = OPERATIONS[step.op];
        if (!type) return;
        const subject = step.subject;
        this.operations.set(subject, { resource: subject, type });
        await this.write();
    }

    /** Notes how a step has ended. */
    end(step: Step, successful: boolean): void {
        this.operations.delete(step.subject);
        for (const s of [step.old, step.now]) if (s) touched(s);
        switch (step.op) {
            case "same":
                this.endSame(step as SameStep, successful);
                return;
            case "create":
            case "create-replacement":
                if (successful) {
                    if (step.old?.pendingReplacement) this.done.add(step.old);
                    this.add(step.now);
                }
                break;
            case "update":
            case "read":
            case "read-replacement":
            case "import":
            case "import-replacement":
                if (successful) {
                    if (step.old && !step.old.delete) this.done.add(step.old);
                    this.add(step.now);
                }
                break;
            case "delete":
            case "delete-replaced":
            case "discard":
            case "discard-replaced":
                if (successful && step.old && !step.old.pendingReplacement) this.forget(step.old);
                break;
            case "remove-pending-replace":
                if (step.old) this.done.add(step.old);
                break;
            case "refresh":
                if (!step.continues) {
                    this.dirty = true;
                    return;
                }
                if (step.now === step.old) break;
                if (step.old) this.done.add(step.old);
                this.add(step.now);
                break;
            case "replace":
                return;
        }
        void this.write();
    }

    private endSame(step: SameStep, successful: boolean): void {
        if (!successful) return;
        if (step.old) this.done.add(step.old);
        if (step.skippedCreate) return;
        this.add(step.now);
        if (step.old && step.now && sameRecord(step.old, step.now)) this.dirty = true;
        else void this.write();
    }

    /** Notes that outputs of a finished step have changed. */
    outputsChanged(step: Step): void {
        if (step.now) touched(step.now);
        if (step.old && step.now && mapEquals(step.old.outputs, step.now.outputs)) this.dirty = true;
        else void this.write();
    }

    private add(s: ResourceState | undefined): void {
        if (s) this.news.push(s);
    }
    /** A resource that is deleted may be one that this run has recorded (destroy with the program). */
    private forget(s: ResourceState): void {
        this.done.add(s);
        const i = this.news.indexOf(s);
        if (i >= 0) this.news.splice(i, 1);
    }

    /** Asks for a write; requests that come before it starts share it. */
    private write(): Promise<void> {
        this.dirty = true;
        this.scheduled ??= this.writeSoon();
        return this.scheduled;
    }

    private async writeSoon(): Promise<void> {
        const wait = this.nextWrite - this.now();
        await (wait < 1 ? setImmediate() : setTimeout(wait));
        this.scheduled = undefined;
        this.flush();
    }

    private flush(): void {
        if (!this.dirty || this.closed) return;
        this.dirty = false;
        const start = this.now();
        this.save(this.snapshot());
        const end = this.now();
        this.nextWrite = end + (end - start);
    }

    /** Writes what is left. */
    async close(): Promise<void> {
        await this.scheduled;
        this.dirty = true;
        this.flush();
        this.closed = true;
    }

    /** Stops writing: the state stays as it was last stored. */
    abandon(): void {
        this.closed = true;
    }
}

/** True if nothing in the record of an unchanged resource needs to be written at once. */
function sameRecord(a: ResourceState, b: ResourceState): boolean {
    const list = (x: readonly string[], y: readonly string[]) =>
        x.length === y.length && [...x].sort().every((v, i) => v === [...y].sort()[i]);
    return (
        a.urn === b.urn &&
        a.type === b.type &&
        a.custom === b.custom &&
        a.provider === b.provider &&
        a.parent === b.parent &&
        a.protect === b.protect &&
        a.retainOnDelete === b.retainOnDelete &&
        a.deletedWith === b.deletedWith &&
        JSON.stringify(a.customTimeouts) === JSON.stringify(b.customTimeouts) &&
        JSON.stringify(a.resourceHooks) === JSON.stringify(b.resourceHooks) &&
        list(a.dependencies, b.dependencies) &&
        mapEquals(a.inputs, b.inputs) &&
        mapEquals(a.outputs, b.outputs)
    );
}
