/** Faults: the failure, the calls that it hits, and its number of hits. */
export interface Fault {
    /** Name for the log, made up if absent. */
    readonly id?: string;
    /** Action name, or `*` for all. */
    readonly action: string;
    /** Only this product. */
    readonly product?: string;
    /** Only calls whose parameters have these values. A value between slashes is a regular expression. */
    readonly match?: Readonly<Record<string, string>>;
    /** Only calls that change something, or only those that do not. Default: all. */
    readonly mutating?: boolean;
    /** Only calls after a hit of the fault with this id. */
    readonly after?: string;
    /** Number of calls that are hit. Without it, all are hit until the fault is taken away. */
    readonly times?: number;
    /** Number of matching calls that pass before the first hit. */
    readonly skip?: number;
    /** Time in milliseconds from the first hit in which calls are hit. Later calls pass. Default: no end. */
    readonly forMs?: number;
    /** The call waits until the fault is taken away. */
    readonly hold?: boolean;
    /** A read is answered as if the last change of the cloud had not been made yet. */
    readonly stale?: boolean;
    /** Milliseconds before anything else happens. */
    readonly delayMs?: number;
    /** The call is refused with this code and has no effect. */
    readonly code?: string;
    readonly message?: string;
    /** HTTP status of the refusal or of `body`. Default 400. */
    readonly status?: number;
    /** Body to answer with instead of working. With `status` 200 this feeds a client nonsense. */
    readonly body?: string;
    /** The connection is closed before the call has any effect. */
    readonly drop?: boolean;
    /** The call is accepted, but the asynchronous job that it starts ends as `Failed` and leaves nothing changed. */
    readonly jobFails?: boolean;
    /** The call works, but the connection is closed instead of answering: the client cannot know. */
    readonly dropAfterEffect?: boolean;
}

interface Armed {
    readonly fault: Fault & { readonly id: string };
    hits: number;
    passed: number;
    /** When the first call was hit, in milliseconds since 1970. */
    firstHit?: number;
    /** When a call was hit last, in milliseconds since 1970. */
    lastHit?: number;
}

/** Faults that a cloud injects. The first that fits a call takes part in it. */
export class FaultList {
    private armed: Armed[] = [];
    private made = 0;

    add(fault: Fault): string {
        const id = fault.id ?? `fault-${++this.made}`;
        this.armed.push({ fault: { ...fault, id }, hits: 0, passed: 0 });
        return id;
    }

    /** Takes away the fault with this id, or all. */
    clear(id?: string): void {
        this.armed = id === undefined ? [] : this.armed.filter((a) => a.fault.id !== id);
    }

    list(): { fault: Fault; hits: number; lastHit?: number }[] {
        return this.armed.map(({ fault, hits, lastHit }) => ({
            fault,
            hits,
            ...(lastHit === undefined ? {} : { lastHit }),
        }));
    }

    /** Reports whether a fault has not been taken away yet. */
    has(id: string): boolean {
        return this.armed.some(({ fault }) => fault.id === id);
    }

    /** Reports whether some call is to be answered with the state before the last change. */
    get wantsPast(): boolean {
        return this.armed.some(({ fault }) => fault.stale === true);
    }

    /** The fault that takes part in this call, counted as used. */
    take(
        product: string,
        action: string,
        params: Readonly<Record<string, string>>,
        mutating: boolean,
    ): (Fault & { readonly id: string }) | undefined {
        for (const armed of this.armed) {
            const { fault } = armed;
            if (fault.mutating !== undefined && fault.mutating !== mutating) continue;
            if (fault.after !== undefined && !this.hasHit(fault.after)) continue;
            if (!fits(fault, product, action, params) || armed.hits >= (fault.times ?? Infinity)) continue;
            if (armed.passed < (fault.skip ?? 0)) {
                armed.passed++;
                continue;
            }
            const now = Date.now();
            armed.firstHit ??= now;
            if (now - armed.firstHit >= (fault.forMs ?? Infinity)) continue;
            armed.hits++;
            armed.lastHit = now;
            return fault;
        }
        return undefined;
    }

    private hasHit(id: string): boolean {
        return this.armed.some(({ fault, hits }) => fault.id === id && hits > 0);
    }
}

function fits(fault: Fault, product: string, action: string, params: Readonly<Record<string, string>>): boolean {
    if (fault.action !== "*" && fault.action !== action) return false;
    if (fault.product !== undefined && fault.product !== product) return false;
    return Object.entries(fault.match ?? {}).every(([name, desired]) => {
        const value = params[name] ?? "";
        const pattern = /^\/(.*)\/$/.exec(desired);
        return pattern === null ? value === desired : new RegExp(pattern[1] ?? "").test(value);
    });
}
