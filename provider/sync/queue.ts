import { type Backoff, type Clock, waitBefore } from "../net";

/** Waits after a failure: 1 s, doubling to 5 minutes, with full jitter. Without an end: a group is never given up. */
export const RETRY: Backoff = { attempts: Infinity, baseMs: 1_000, capMs: 300_000 };

/** A key that is added later. */
interface Timer {
    /** When, by the queue's clock. */
    readonly at: number;
    readonly waiting: AbortController;
}

/**
 * A queue of keys, as those of Kubernetes controllers: a key that is added several times before its turn is worked on once, a key that is added while it is worked on is worked
 * on again afterwards, and never twice at the same time.
 */
export class WorkQueue {
    readonly #work: (key: string) => Promise<void>;
    readonly #clock: Clock;
    readonly #workers: number;
    readonly #waiting = new Set<string>();
    readonly #running = new Set<string>();
    readonly #failures = new Map<string, number>();
    readonly #delayed = new Map<string, Timer>();
    readonly #retries = new Map<string, Timer>();
    #stopped = false;
    #idle: (() => void)[] = [];

    /** @param work rejects never: a failure is reported by {@link retry}. */
    constructor(work: (key: string) => Promise<void>, clock: Clock, workers: number) {
        this.#work = work;
        this.#clock = clock;
        this.#workers = workers;
    }

    /** Keys that wait for their turn. */
    get depth(): number {
        return this.#waiting.size;
    }

    /** Adds a key; its turn comes as soon as a worker is free. */
    add(key: string): void {
        if (this.#stopped) return;
        this.#waiting.add(key);
        this.#next();
    }

    /** Adds a key after a time in milliseconds, unless it is to be added earlier already. */
    addAfter(key: string, ms: number): void {
        const known = this.#delayed.get(key);
        if (known === undefined || known.at > this.#clock.now() + ms) this.#schedule(this.#delayed, key, ms);
    }

    /** Adds a key after a wait that grows with each failure in a row. */
    retry(key: string): void {
        const failures = (this.#failures.get(key) ?? 0) + 1;
        this.#failures.set(key, failures);
        // At least half of a second apart, so that a failure that comes back at once does not spin.
        this.#schedule(this.#retries, key, waitBefore(RETRY, failures, this.#clock.random(), RETRY.baseMs / 2));
    }

    /** Notes that a key was worked on without a failure. */
    succeed(key: string): void {
        this.#failures.delete(key);
    }

    /** Resolves once no key waits or is worked on. Keys that wait for their time do not count. */
    async settled(): Promise<void> {
        if (this.#waiting.size === 0 && this.#running.size === 0) return;
        await new Promise<void>((resolve) => this.#idle.push(resolve));
    }

    /** Forgets what waits, and takes nothing more. Work that was begun ends by itself. */
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
        const timer = { at: this.#clock.now() + ms, waiting: new AbortController() };
        timers.set(key, timer);
        this.#clock.sleep(ms, timer.waiting.signal).then(
            () => {
                timers.delete(key);
                this.add(key);
            },
            () => undefined,
        );
    }

    #next(): void {
        for (const key of this.#waiting) {
            if (this.#running.size >= this.#workers) return;
            if (this.#running.has(key)) continue;
            this.#waiting.delete(key);
            this.#running.add(key);
            void this.#work(key).finally(() => {
                this.#running.delete(key);
                this.#next();
                this.#release();
            });
        }
    }

    #release(): void {
        if (this.#waiting.size > 0 || this.#running.size > 0) return;
        const idle = this.#idle;
        this.#idle = [];
        for (const resolve of idle) resolve();
    }
}
