import type { JsonObject } from "./json";

export interface CallRecord {
    /** Counts from 1 and never starts again, also after the log was emptied. */
    readonly n: number;
    /** ISO time when the call came in. */
    readonly time: string;
    readonly product: string;
    readonly action: string;
    readonly version: string;
    /** `A`, `B`, `C` or `V3` for requests over the wire, `-` for calls that the lab makes itself. */
    readonly form: string;
    /** `api`, `console`, `other` or `seed`. */
    readonly origin: string;
    readonly mutating: boolean;
    readonly params: Readonly<Record<string, string>>;
    readonly status: number;
    /** Error code, or `OK`. */
    readonly code: string;
    readonly message?: string;
    readonly requestId: string;
    readonly durationMs: number;
    /** Id of the injected fault that took part, if any. */
    readonly fault?: string;
}

/** Filter of the calls to show. Every field is optional. */
export interface CallFilter {
    /** Only calls with a greater number. */
    readonly since?: number;
    /** Only this action, or several with commas between them. */
    readonly action?: string;
    readonly mutating?: boolean;
    readonly origin?: string;
}

/** Oldest calls are forgotten beyond this many, so that a long-lived lab does not grow for ever. */
const KEPT = 100_000;

/** All calls to a cloud in order of completion. */
export class CallLog {
    private calls: CallRecord[] = [];
    private last = 0;

    add(call: Omit<CallRecord, "n">): CallRecord {
        const record = { n: ++this.last, ...call };
        this.calls.push(record);
        if (this.calls.length > KEPT) this.calls = this.calls.slice(-KEPT / 2);
        return record;
    }

    select(filter: CallFilter = {}): CallRecord[] {
        const actions = filter.action?.split(",");
        return this.calls.filter(
            (c) =>
                c.n > (filter.since ?? 0) &&
                (actions?.includes(c.action) ?? true) &&
                (filter.mutating ?? c.mutating) === c.mutating &&
                (filter.origin ?? c.origin) === c.origin,
        );
    }

    counts(filter: CallFilter = {}): JsonObject {
        const counts = new Map<string, number>();
        for (const c of this.select(filter)) counts.set(c.action, (counts.get(c.action) ?? 0) + 1);
        return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
    }

    clear(): void {
        this.calls = [];
    }
}
