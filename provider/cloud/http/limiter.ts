import type { Clock } from "../../net";
import type { Rate } from "../../quotas";
import { once } from "../../schema/defined";

/**
 * Keeps each action within its rate by making callers wait. A process has one limiter. A place comes back a window
 * after it was taken, the same sliding window that the cloud counts in. Callers go in the order in which they came.
 */
export class RateLimiter {
    /** Times of the latest calls, past and promised, oldest first: as many as the rate allows in a window. */
    readonly #places = new Map<string, number[]>();
    readonly #heldUntil = new Map<string, number>();

    /**
     * Waits until a call of `key` may go.
     *
     * @param key account, region and action, by which the cloud counts.
     * @throws the signal's reason when it is aborted first.
     */
    async take(key: string, rate: Rate, clock: Clock, signal?: AbortSignal): Promise<void> {
        const place = this.#reserve(key, rate, clock.now());
        for (;;) {
            // Looked at again after each wait: the action may have been held meanwhile.
            const wait = Math.max(place, this.#heldUntil.get(key) ?? 0) - clock.now();
            if (wait <= 0) return;
            await clock.sleep(wait, signal);
        }
    }

    /** Pauses calls of `key` for so many milliseconds, after a throttled call. */
    hold(key: string, ms: number, clock: Clock): void {
        this.#heldUntil.set(key, Math.max(clock.now() + ms, this.#heldUntil.get(key) ?? 0));
    }

    /** Takes the time at which the next call may go, and returns it. */
    #reserve(key: string, rate: Rate, now: number): number {
        const places = once(this.#places, key, () => []);
        let oldest: number | undefined;
        // More than one place is dropped if the rate has fallen since the last call.
        while (places.length >= rate.calls) oldest = places.shift();
        const place = Math.max(now, oldest === undefined ? 0 : oldest + rate.perMs, this.#heldUntil.get(key) ?? 0);
        places.push(place);
        return place;
    }
}
