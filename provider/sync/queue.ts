import { type Backoff, type Clock, waitBefore } from "../net";

/** Waits after failures: 1 s, doubling to 5 minutes, with full jitter; a group is never given up. */
const RETRY: Backoff = { attempts: Infinity, baseMs: 1_000, capMs: 300_000 };

/** Key that is added at a time of the queue's clock. */
interface Timer {
    readonly at: number;
    readonly waiting: AbortController;
}

/**
 * Queue of keys, like those of Kubernetes controllers. A key that is added several times before its turn is worked on
 * once; a key that is added during its work is worked on again afterwards, never twice at the same time.
 */
export class WorkQueue {
    readonly #waiting = new Set<string>();
    readonly #running = new Set<string>();
    readonly #failures = new Map<string, number>();
    readonly #delayed = new Map<string, Timer>();
    readonly #retries = new Map<string, Timer>();
    #stopped = false;
    #idle: (() => void)[] = [];

    /** @param work never rejects: it reports a failure by {@link retry}. */
    constructor(
        private readonly work: (key: string) => Promise<void>,
        private readonly clock: Clock,
        private readonly workers: number,
    ) {}

    /** Number of keys that wait for their turn. */
    get depth(): number {
        return this.#waiting.size;
    }

    /** True if a key waits for its turn. */
    isWaiting(key: string): boolean {
        return this.#waiting.has(key);
    }

    /** Adds a key; its turn comes as soon as a worker is free. */
    add(key: string): void {
        if (this.#stopped) return;
        this.#waiting.add(key);
        this.#next();
    }

    /** Adds a key after a time in milliseconds, unless it will be added earlier. */
    addAfter(key: string, ms: number): void {
        const known = this.#delayed.get(key);
        if (known === undefined || known.at > this.clock.now() + ms) this.#schedule(this.#delayed, key, ms);
    }

    /** Adds a key after a wait that grows with each consecutive failure, of at least half a second. */
    retry(key: string): void {
        const failures = (this.#failures.get(key) ?? 0) + 1;
        this.#failures.set(key, failures);
        this.#schedule(this.#retries, key, waitBefore(RETRY, failures, this.clock.random(), RETRY.baseMs / 2));
    }

    /** Resets the failures of a key. */
    succeed(key: string): void {
        this.#failures.delete(key);
    }

    /** Resolves once no key waits for its turn or is worked on. Scheduled keys do not count. */
    async settled(): Promise<void> {
        if (this.#waiting.size === 0 && this.#running.size === 0) return;
        await new Promise<void>((resolve) => this.#idle.push(resolve));
    }

    /** Forgets all keys and accepts no more. Work that has begun ends by itself. */
    stop(): void {
        this.#stopped = true;
        this.#waiting.clear();
        for (const timers of [this.#delayed, this.#retries]) {
            for (const { waiting } of timers.values()) waiting.abort();
            timers.clear();
        }
        this.#release();
    }

    #schedule(timers: Map<string, Timer>, key: string, ms: number): void {
        if (this.#stopped) return;
        timers.get(key)?.waiting.abort();
        const timer = { at: this.clock.now() + ms, waiting: new AbortController() };
        timers.set(key, timer);
        this.clock.sleep(ms, timer.waiting.signal).then(
            () => {
                timers.delete(key);
                this.add(key);
            },
            () => undefined,
        );
    }

    #next(): void {
        for (const key of this.#waiting) {
            if (this.#running.size >= this.workers) return;
            if (this.#running.has(key)) continue;
            this.#waiting.delete(key);
            this.#running.add(key);
            void this.work(key).finally(() => {
                this.#running.delete(key);
                this.#next();
                this.#release();
            });
        }
    }

    #release(): void {
        if (this.#waiting.size > 0 || this.#running.size > 0) return;
        for (const resolve of this.#idle.splice(0)) resolve();
    }
}

/** Urgency of a change; the lowest goes first. */
export const URGENCY = {
    /** The group has no backend with traffic. */
    empty: 0,
    /** The group has backends that must not have traffic. */
    dead: 1,
    /** Backends or weights are added. */
    usual: 2,
} as const;

/** Value of {@link URGENCY}. */
export type Urgency = (typeof URGENCY)[keyof typeof URGENCY];

/** Frees a slot during a wait. */
export type Pause = (wait: () => Promise<void>) => Promise<void>;

interface Waiter {
    readonly urgency: Urgency;
    readonly enter: () => void;
}

/** Limit of changes at a time. Waiting ones enter by urgency, then in their order. */
export class Slots {
    #free: number;
    readonly #waiters: Waiter[] = [];

    constructor(count: number) {
        this.#free = count;
    }

    /** Runs work in a slot. A wait that the work passes to `pause` does not occupy it. */
    async run<T>(urgency: Urgency, work: (pause: Pause) => Promise<T>): Promise<T> {
        await this.#enter(urgency);
        try {
            return await work(async (wait) => {
                this.#leave();
                try {
                    await wait();
                } finally {
                    await this.#enter(urgency);
                }
            });
        } finally {
            this.#leave();
        }
    }

    #leave(): void {
        const next = this.#waiters.shift();
        if (next === undefined) this.#free++;
        else next.enter();
    }

    async #enter(urgency: Urgency): Promise<void> {
        if (this.#free > 0) {
            this.#free--;
            return;
        }
        await new Promise<void>((resolve) => {
            const place = this.#waiters.findIndex((waiter) => waiter.urgency > urgency);
            this.#waiters.splice(place === -1 ? this.#waiters.length : place, 0, { urgency, enter: resolve });
        });
    }
}
