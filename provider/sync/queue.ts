import { type Backoff, type Clock, Turns, waitBefore } from "../net";

/** Waits after failures: 1 s, doubling to 5 minutes, with full jitter. A group is never given up. */
const RETRY: Backoff = { attempts: Infinity, baseMs: 1_000, capMs: 300_000 };

/**
 * Workers for refused keys, and the milliseconds for which a worker rests after a further refusal. However many keys
 * are refused, and however often they are added, they leave workers and the rates of their actions to the others.
 */
const REFUSED = { workers: 8, restMs: 20_000 };

/**
 * Queue of keys, like those of Kubernetes controllers. A key that is added several times before its turn is worked on
 * once. A key that is added during its work is worked on again afterwards, never twice at the same time.
 */
export class WorkQueue {
    readonly #waiting = new Set<string>();
    readonly #running = new Set<string>();
    readonly #failures = new Map<string, number>();
    readonly #refused = new Set<string>();
    /** Keys that occupy a worker. */
    #busy = 0;
    /** Workers for refused keys that work or rest. */
    #retrying = 0;
    /** Timers of `after` and `retry`, by kind and key, with the times of the clock at which they add the key. */
    readonly #timers = new Map<string, { readonly at: number; readonly waiting: AbortController }>();
    readonly #end = new AbortController();
    #idle: (() => void)[] = [];

    /** @param work never rejects: it reports a failure by {@link retry}. */
    constructor(
        private readonly work: (key: string) => Promise<void>,
        private readonly clock: Clock,
        private readonly workers: number,
    ) {}

    /** Keys that wait for a worker, or that do not occupy one at the moment. */
    get depth(): number {
        return this.#waiting.size + this.#running.size - this.#busy;
    }

    isWaiting(key: string): boolean {
        return this.#waiting.has(key) && !this.isRefused(key);
    }

    isRefused(key: string): boolean {
        return this.#refused.has(key);
    }

    /** Adds a key, whose turn comes as soon as a worker is free. */
    add(key: string): void {
        if (this.#end.signal.aborted) return;
        this.#waiting.add(key);
        this.#next();
    }

    /** Adds a key after a time in milliseconds, unless it will be added earlier. */
    addAfter(key: string, ms: number): void {
        const known = this.#timers.get(`after ${key}`);
        if (known === undefined || known.at > this.clock.now() + ms) this.#schedule("after", key, ms);
    }

    /**
     * Adds a key after a wait that grows with each consecutive failure, of at least half a second.
     *
     * @param refused true if the key leaves the workers to others until it succeeds
     */
    retry(key: string, refused: boolean): void {
        if (refused) this.#refused.add(key);
        else this.#refused.delete(key);
        const failures = (this.#failures.get(key) ?? 0) + 1;
        this.#failures.set(key, failures);
        this.#schedule("retry", key, waitBefore(RETRY, failures, this.clock.random(), RETRY.baseMs / 2));
    }

    succeed(key: string): void {
        this.#failures.delete(key);
        this.#refused.delete(key);
    }

    /** Waits for a part of the work that has bounds of its own, without occupying a worker. */
    async unbounded<T>(work: Promise<T>): Promise<T> {
        this.#busy--;
        this.#next();
        try {
            return await work;
        } finally {
            this.#busy++;
        }
    }

    /** Resolves once no key waits for its turn or is worked on. Scheduled and refused keys do not wait. */
    async settled(): Promise<void> {
        if (this.#isSettled) return;
        await new Promise<void>((resolve) => this.#idle.push(resolve));
    }

    /** Forgets all keys and accepts no more. Work that has begun ends by itself. */
    stop(): void {
        this.#end.abort();
        this.#waiting.clear();
        for (const { waiting } of this.#timers.values()) waiting.abort();
        this.#timers.clear();
        this.#release();
    }

    #schedule(kind: "after" | "retry", key: string, ms: number): void {
        if (this.#end.signal.aborted) return;
        const id = `${kind} ${key}`;
        this.#timers.get(id)?.waiting.abort();
        const waiting = new AbortController();
        this.#timers.set(id, { at: this.clock.now() + ms, waiting });
        const due = (): void => {
            this.#timers.delete(id);
            this.add(key);
        };
        this.clock.sleep(ms, waiting.signal).then(due, () => undefined);
    }

    #next(): void {
        for (const key of this.#waiting) {
            if (this.#busy >= this.workers) return;
            const refused = this.isRefused(key);
            if (this.#running.has(key) || (refused && this.#retrying >= REFUSED.workers)) continue;
            this.#waiting.delete(key);
            this.#running.add(key);
            this.#busy++;
            if (refused) this.#retrying++;
            void this.work(key).finally(() => {
                this.#running.delete(key);
                this.#busy--;
                if (refused) this.#free(this.isRefused(key) ? REFUSED.restMs : 0);
                this.#next();
                this.#release();
            });
        }
    }

    #free(afterMs: number): void {
        const free = (): void => {
            this.#retrying--;
            this.#next();
        };
        if (afterMs === 0) free();
        else this.clock.sleep(afterMs, this.#end.signal).then(free, () => undefined);
    }

    get #isSettled(): boolean {
        return this.#running.size === 0 && [...this.#waiting].every((key) => this.isRefused(key));
    }

    #release(): void {
        if (!this.#isSettled) return;
        for (const resolve of this.#idle.splice(0)) resolve();
    }
}

/** Urgency of a change. The lowest goes first. */
export const URGENCY = {
    /** The group has no backend with traffic. */
    empty: 0,
    /** The group has backends that must not have traffic. */
    dead: 1,
    /** Backends or weights are added. */
    usual: 2,
    /** The last try was refused. */
    refused: 3,
} as const;

export type Urgency = (typeof URGENCY)[keyof typeof URGENCY];

/** Frees a slot during a wait. */
export type Pause = (wait: () => Promise<void>) => Promise<void>;

/** Limit of changes at a time. Waiting changes enter by urgency, then in their order. */
export class Slots {
    readonly #turns: Turns;

    constructor(count: number) {
        this.#turns = new Turns(count);
    }

    /** Runs work in a slot. A wait that the work passes to `pause` does not occupy it. */
    async run<T>(urgency: Urgency, work: (pause: Pause) => Promise<T>): Promise<T> {
        await this.#turns.take(urgency);
        try {
            return await work(async (wait) => {
                this.#turns.release();
                try {
                    await wait();
                } finally {
                    await this.#turns.take(urgency);
                }
            });
        } finally {
            this.#turns.release();
        }
    }
}
