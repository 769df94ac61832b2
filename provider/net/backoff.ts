/** How long to wait between tries of one kind of failure. */
export interface Backoff {
    /** Tries altogether, the first included. */
    readonly attempts: number;
    /** Upper bound of the first wait, in milliseconds; it doubles with every further wait. */
    readonly baseMs: number;
    /** No wait is longer than this, in milliseconds. */
    readonly capMs: number;
}

/**
 * The wait before the next try: full jitter, that is a time drawn evenly between zero and a bound that doubles.
 * Evenly spread waits keep many callers that were refused together from coming back together.
 *
 * @param tries tries made so far, at least 1
 * @param floorMs the pause that the server asks for (a Retry-After header), which is kept even where it is longer than the cap
 */
export function waitBefore(backoff: Backoff, tries: number, random: number, floorMs = 0): number {
    // 2^30 ms is past every cap in use; the bound keeps the product finite however many tries there are.
    const bound = Math.min(backoff.capMs, backoff.baseMs * 2 ** Math.min(tries - 1, 30));
    return Math.max(floorMs, random * bound);
}
