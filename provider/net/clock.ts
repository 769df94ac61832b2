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
            // The timer rejects with its own AbortError; callers want the reason that was given to the signal.
            signal?.throwIfAborted();
            throw error;
        }
    },
    random: () => Math.random(),
};
