import type { Clock } from "./clock";
import { asError, beside, placed } from "./errors";

/** Waits that grow from `shortest` by doubling and stay at 10 s. */
class Backoff {
    private seconds = 0.1;

    constructor(private readonly shortest: number) {}

    next(): number {
        this.seconds *= 2;
        if (this.seconds < this.shortest) this.seconds = this.shortest;
        else if (this.seconds > 10) this.seconds = 10;
        return this.seconds;
    }
}

export interface RetryOptions {
    /** Seconds. */
    readonly limit: number;
    readonly when: (error: unknown) => boolean;
    /** Additional pauses before the second attempt and before all later attempts. */
    readonly pauses?: readonly [number, number];
}

/** Repeats a call while it fails with a passing error, and throws the last error at the limit. */
export async function retry<T>(clock: Clock, options: RetryOptions, call: () => Promise<T>): Promise<T> {
    const backoff = new Backoff(0.5);
    const end = clock.now() + options.limit;
    for (let attempt = 1; ; attempt++) {
        try {
            return await beside(call);
        } catch (error) {
            if (!options.when(error)) throw error;
            if (options.pauses !== undefined) await clock.sleep(options.pauses[attempt === 1 ? 0 : 1]);
            const wait = backoff.next();
            if (clock.now() + wait > end) throw error;
            await clock.sleep(wait);
        }
    }
}

export interface StateWait {
    /** States that end the wait. An empty list waits until the object is gone. */
    readonly target: readonly string[];
    /** Seconds. */
    readonly limit: number;
    /** Seconds before the first look. */
    readonly delay: number;
    /** The object's state, `undefined` when there is no such object. May throw. */
    readonly look: () => Promise<string | undefined>;
}

/** Reads an object until it is in the desired state: after the delay, then every 3, 6, 10, 10 … seconds. */
export async function waitForState(clock: Clock, wait: StateWait): Promise<void> {
    const backoff = new Backoff(3);
    const end = clock.now() + wait.limit + wait.delay;
    await clock.sleep(wait.delay);
    for (let missing = 0; ;) {
        const state = await beside(wait.look);
        if (state === undefined) {
            if (wait.target.length === 0) return;
            if (++missing > 20) throw new Error("couldn't find resource (21 retries)");
        } else {
            missing = 0;
            if (wait.target.includes(state)) return;
        }
        const pause = backoff.next();
        if (clock.now() + pause > end) {
            const goal =
                wait.target.length === 0 ? "resource to be gone" : `state to become '${wait.target.join(", ")}'`;
            throw new Error(
                `timeout while waiting for ${goal} (last state: '${state ?? ""}', timeout: ${goDuration(wait.limit)})`,
            );
        }
        await clock.sleep(pause);
    }
}

function goDuration(seconds: number): string {
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
    return `${h > 0 ? `${h}h` : ""}${h > 0 || m > 0 ? `${m}m` : ""}${s}s`;
}

/** Waits as {@link waitForState} does, and names the object in a failure. */
export async function waitFor(clock: Clock, id: string, place: string, wait: StateWait): Promise<void> {
    try {
        await waitForState(clock, wait);
    } catch (error) {
        throw placed(asError(error), place, `Resource id：${id} `);
    }
}
