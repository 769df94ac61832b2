import { type Product, RateLimiter } from "../alicloud";
import { defaultRate, type Rate } from "../quotas";
import type { Clock } from "../net";

/** Share of a published quota below which a budget never falls. */
const LOWEST = 0.1;

/**
 * Milliseconds by which a window is stretched, at most a quarter of it: calls take different times on their way, and the cloud counts when they arrive. A window that is used to its
 * last call would be overrun, and a throttled call costs far more than a second.
 */
const ON_THE_WAY = 1_000;

/** Share by which a budget recovers in a minute without throttling. */
const RECOVERY_PER_MINUTE = 0.1;

/**
 * The rate at which each action of a product may be called in one region of an account: the published quota, less after the cloud has throttled a call, because others use the same quota.
 * It is halved then, at most once in the quota's window, and recovers by a tenth of the quota in a minute.
 */
export class Budget {
    /** What all clients of the account and region wait in. */
    readonly limiter = new RateLimiter();
    readonly #reduced = new Map<string, { readonly share: number; readonly at: number }>();

    constructor(readonly clock: Clock) {}

    /** The rate of an action now. */
    rate(product: Product, action: string): Rate {
        const { calls, perMs } = defaultRate(product, action);
        return {
            calls: Math.max(1, Math.floor(calls * this.share(product, action))),
            perMs: perMs + Math.min(ON_THE_WAY, perMs / 4),
        };
    }

    /** Notes that the cloud has throttled a call. */
    throttled(product: Product, action: string): void {
        const key = `${product} ${action}`;
        const now = this.clock.now();
        const last = this.#reduced.get(key);
        if (last !== undefined && now - last.at < defaultRate(product, action).perMs) return;
        this.#reduced.set(key, { share: Math.max(LOWEST, this.share(product, action) / 2), at: now });
    }

    /** Share of the published quota that is used at most, 0.1 to 1. */
    share(product: Product, action: string): number {
        const reduced = this.#reduced.get(`${product} ${action}`);
        if (reduced === undefined) return 1;
        const minutes = (this.clock.now() - reduced.at) / 60_000;
        return Math.min(1, reduced.share + minutes * RECOVERY_PER_MINUTE);
    }
}
