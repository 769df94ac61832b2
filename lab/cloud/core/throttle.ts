import type { RateLimit } from "./config";

/** Counts calls per action in a sliding window. */
export class Throttle {
    private readonly times = new Map<string, number[]>();

    /**
     * Returns true if the call is within its limit, and then counts it.
     *
     * @param limits by `<Product>.<action>`, `<action>`, `<Product>.write`, `<Product>.read`, `write` or `read`, of
     *        which the first that is set applies
     */
    allow(
        limits: Readonly<Record<string, RateLimit>>,
        product: string,
        action: string,
        mutating: boolean,
        now: number,
    ): boolean {
        const kind = mutating ? "write" : "read";
        const limit = limits[`${product}.${action}`] ?? limits[action] ?? limits[`${product}.${kind}`] ?? limits[kind];
        if (limit === undefined) return true;
        const key = `${product}.${action}`;
        const recent = (this.times.get(key) ?? []).filter((t) => now - t < limit.seconds * 1000);
        this.times.set(key, recent);
        if (recent.length >= limit.calls) return false;
        recent.push(now);
        return true;
    }
}
