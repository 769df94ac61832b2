/** Waits between tries of one kind of failure. */
export interface Backoff {
    /** Tries, including the first. */
    readonly attempts: number;
    /** Upper bound of the first wait, in milliseconds; it doubles with every further wait. */
    readonly baseMs: number;
    /** Longest wait, in milliseconds. */
    readonly capMs: number;
}

/**
 * Returns the wait before the next try with full jitter: an even draw between zero and a bound that doubles. Spread
 * waits keep callers that were refused together from returning together.
 *
 * @param tries tries so far, at least 1
 * @param floorMs pause that the server requires (Retry-After); it may exceed the cap
 */
export function waitBefore(backoff: Backoff, tries: number, random: number, floorMs = 0): number {
    // 2^30 ms is past every cap in use; the bound keeps the product finite however many tries there are.
    const bound = Math.min(backoff.capMs, backoff.baseMs * 2 ** Math.min(tries - 1, 30));
    return Math.max(floorMs, random * bound);
}
