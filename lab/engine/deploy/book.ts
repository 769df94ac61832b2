import type { ResourceState } from "../state";

/** What has been decided for which URN in a run. */
export class StepBook {
    /** True if something was reported that lets the run fail at its end. */
    sawError = false;
    /** All URNs the program has registered or read. */
    readonly urns = new Set<string>();
    readonly reads = new Set<string>();
    readonly deletes = new Set<string>();
    readonly replaces = new Set<string>();
    readonly updates = new Set<string>();
    readonly creates = new Set<string>();
    /** Existing objects that the program takes into management. */
    readonly imports = new Set<string>();
    readonly sames = new Set<string>();
    readonly refreshes = new Set<string>();
    /** New resources outside the targets: they are not made. */
    readonly skippedCreates = new Set<string>();
    /** Old objects whose deletion has already been decided. */
    readonly pendingDeletes = new Set<ResourceState>();
    /** Old URN to the new one that claimed it. */
    readonly aliased = new Map<string, string>();
    /** New URN to the old one it was found under. */
    readonly aliases = new Map<string, string>();

    /** @param refreshingOnly a refreshed resource needs nothing more */
    constructor(private readonly refreshingOnly = false) {}

    /** True if there are steps for the resource of that URN, be it under another URN by now. */
    generated(urn: string): boolean {
        const now = this.aliased.get(urn) ?? urn;
        return [this.creates, this.sames, this.updates, this.deletes, this.replaces, this.reads].some(
            (s) => s.has(urn) || s.has(now),
        );
    }

    /** True if the old resource of that URN lives on, be it under another URN. */
    operatedOn(urn: string): boolean {
        const u = this.aliased.get(urn) ?? urn;
        return (
            [this.sames, this.updates, this.replaces, this.reads].some((s) => s.has(u)) ||
            (this.refreshingOnly && this.refreshes.has(u))
        );
    }
}
