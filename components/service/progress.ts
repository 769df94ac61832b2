/** How far a run is that waits for quotas, in words. */

/** What is known of a run. */
export interface Progress {
    /** Services that the run has to do with. */
    readonly all: number;
    /** Services of which everything is there. */
    readonly done: number;
    /** Milliseconds since the first of them started. */
    readonly elapsedMs: number;
    /** Actions whose quota is used up at the moment. */
    readonly usedUp: readonly string[];
}

const MINUTE_MS = 60_000;

/**
 * What is going on; undefined where there is nothing to wait for.
 *
 * The time that is left follows from the Services that are done: quotas are counted in minutes, so that it is no better than that.
 */
export function describeProgress({ all, done, elapsedMs, usedUp }: Progress): string | undefined {
    if (done >= all || usedUp.length === 0) return undefined;
    const left = done === 0 ? undefined : Math.ceil(((all - done) * Math.max(elapsedMs, MINUTE_MS)) / done / MINUTE_MS);
    const time = left === undefined ? "" : `, about ${left} ${left === 1 ? "minute" : "minutes"} left`;
    return `${done} of ${all} Services done${time}; waiting for the cloud's quota of ${[...new Set(usedUp)].sort().join(", ")}`;
}
