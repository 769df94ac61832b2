import { setTimeout as delay } from "node:timers/promises";

/** Time and chance, replaceable in tests. */
export interface Clock {
    /** Milliseconds of a monotonic clock. */
    now(): number;
    /** Waits for `ms` milliseconds, or rejects with the signal's reason when it is aborted first. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
    /** A number from 0 (included) to 1 (excluded). */
    random(): number;
}

/** Returns a clock whose waits end with the signal's reason when it is aborted. */
export function clockUntil(signal: AbortSignal, clock: Clock): Clock {
    return {
        now: () => clock.now(),
        random: () => clock.random(),
        sleep: (ms, own) => clock.sleep(ms, own === undefined ? signal : AbortSignal.any([own, signal])),
    };
}

export const systemClock: Clock = {
    now: () => performance.now(),
    sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        try {
            await delay(ms, undefined, { signal });
        } catch (error) {
            // The timer rejects with its own AbortError, but callers want the reason that was given to the signal.
            signal?.throwIfAborted();
            throw error;
        }
    },
    random: () => Math.random(),
};

/** Waits between tries of a kind of failure. */
export interface Backoff {
    /** Tries, including the first. */
    readonly attempts: number;
    /** Upper bound of the first wait, in milliseconds, which doubles with every further wait. */
    readonly baseMs: number;
    /** Longest wait, in milliseconds. */
    readonly capMs: number;
}

/**
 * Returns the wait before the next try with full jitter: an even draw between zero and a bound that doubles. Spread
 * waits keep callers that were refused together from returning together.
 *
 * @param tries tries so far, at least 1
 * @param floorMs pause that the server requires (Retry-After), which may exceed the cap
 */
export function waitBefore(backoff: Backoff, tries: number, random: number, floorMs = 0): number {
    // 2^30 ms is past every cap in use. The bound keeps the product finite however many tries there are.
    const bound = Math.min(backoff.capMs, backoff.baseMs * 2 ** Math.min(tries - 1, 30));
    return Math.max(floorMs, random * bound);
}
