import type { Clock } from "../../net";
import type { Rate } from "../../quotas";
import type { Ledger } from "./ledger";

/** Keeps each action within its rate by making callers wait. */
export interface Limiter {
    /**
     * Waits until one call of `key` may go.
     *
     * @param key account, region and action: what the cloud counts by
     * @throws the signal's reason when it is aborted first
     */
    take(key: string, rate: Rate, clock: Clock, signal?: AbortSignal): Promise<void>;
    /** Lets no call of `key` go for so many milliseconds: the cloud has just refused one. */
    hold(key: string, ms: number, clock: Clock): void;
}

/**
 * The limiter of one process. A place comes back one window after it was taken, the same sliding window that the cloud counts in, so that the whole allowance can be used
 * and none of it is refused. Callers go in the order in which they came.
 */
export class RateLimiter implements Limiter {
    /** Times of the latest calls, past and promised, oldest first: as many as the rate allows in a window. */
    readonly #places = new Map<string, number[]>();
    readonly #heldUntil = new Map<string, number>();

    async take(key: string, rate: Rate, clock: Clock, signal?: AbortSignal): Promise<void> {
        const place = this.#reserve(key, rate, clock.now());
        for (;;) {
            // Looked at again after each wait: the action may have been held meanwhile.
            const wait = Math.max(place, this.#heldUntil.get(key) ?? 0) - clock.now();
            if (wait <= 0) return;
            await clock.sleep(wait, signal);
        }
    }

    hold(key: string, ms: number, clock: Clock): void {
        this.#heldUntil.set(key, Math.max(clock.now() + ms, this.#heldUntil.get(key) ?? 0));
    }

    /** The time at which the next call may go; it is taken. */
    #reserve(key: string, rate: Rate, now: number): number {
        const places = this.#places.get(key) ?? [];
        this.#places.set(key, places);
        let oldest: number | undefined;
        // More than one where the rate has fallen since the last call.
        while (places.length >= rate.calls) oldest = places.shift();
        const place = Math.max(now, oldest === undefined ? 0 : oldest + rate.perMs, this.#heldUntil.get(key) ?? 0);
        places.push(place);
        return place;
    }
}

/** Rates of more calls than this are far above what a run makes of one action: each process counts them by itself. */
const SHARED_AT_MOST = 500;

/**
 * Share of a window, and milliseconds but at most a quarter of it, by which a shared window is stretched: calls take different times on their way, those of the alicloud
 * plugin longer than others, and the cloud counts when they arrive.
 */
const STRETCH = { share: 0.05, ms: 1_000 } as const;

/** The rate that is kept so that the cloud sees no more than `rate`. */
export function stretched({ calls, perMs }: Rate): Rate {
    return { calls, perMs: perMs + Math.max(perMs * STRETCH.share, Math.min(STRETCH.ms, perMs / 4)) };
}

/** The limiter of a process that shares its account's quotas with other processes of this machine. Callers of one process go in the order in which they came. */
export class SharedLimiter implements Limiter {
    readonly #own = new RateLimiter();
    readonly #last = new Map<string, Promise<void>>();

    /** @param ledger what they share; undefined where there is no place for it */
    constructor(private readonly ledger: Ledger | undefined) {}

    async take(key: string, rate: Rate, clock: Clock, signal?: AbortSignal): Promise<void> {
        const { ledger } = this;
        if (ledger === undefined || rate.calls > SHARED_AT_MOST) return this.#own.take(key, rate, clock, signal);
        const kept = stretched(rate);
        const turn = (this.#last.get(key) ?? Promise.resolve()).then(async () => {
            signal?.throwIfAborted();
            for (let wait; (wait = ledger.take(key, kept)) > 0;) await clock.sleep(wait, signal);
            // Where the ledger cannot be written, this process alone keeps to the quota.
            await this.#own.take(key, kept, clock, signal);
        });
        this.#last.set(
            key,
            turn.catch(() => undefined),
        );
        return turn;
    }

    hold(key: string, ms: number, clock: Clock): void {
        this.#own.hold(key, ms, clock);
        this.ledger?.hold(key, ms);
    }

    /** Milliseconds until the next call of `key` could go, as far as the ledger knows; nothing is taken. */
    wait(key: string, rate: Rate): number {
        return this.ledger?.wait(key, stretched(rate)) ?? 0;
    }
}
