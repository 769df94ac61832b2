import { defaultRate, type Product, type Rate } from "../alicloud";
import type { Clock } from "../net";

/** Share of a published quota below which a budget never falls. */
const LOWEST = 0.1;

/** Share by which a budget recovers in a minute without throttling. */
const RECOVERY_PER_MINUTE = 0.1;

/**
 * The rate at which each action of a product may be called in one region: the published quota, less after the cloud has throttled a call, because others use the same quota.
 * It is halved then, at most once in the quota's window, and recovers by a tenth of the quota in a minute.
 */
export class Budget {
    readonly #reduced = new Map<string, { readonly share: number; readonly at: number }>();

    constructor(readonly clock: Clock) {}

    /** The rate of an action now. */
    rate(product: Product, action: string): Rate {
        const { calls, perMs } = defaultRate(product, action);
        return { calls: Math.max(1, Math.floor(calls * this.share(product, action))), perMs };
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
