import type { Clock } from "../net";

/** So many calls in any stretch of so many milliseconds. */
export interface Rate {
  readonly calls: number;
  readonly perMs: number;
}

/** Alibaba Cloud's default limits for one account, region and action (the "API rate quotas" pages of CLB and NLB; ECS and VPC read limits are far above what this package needs). */
export function defaultRate(product: string, action: string): Rate {
  const reads = /^(?:Describe|List|Get|Query)/.test(action);
  if (product === "nlb") return reads ? { calls: 20, perMs: 1_000 } : { calls: 200, perMs: 60_000 };
  return reads ? { calls: 3_000, perMs: 60_000 } : { calls: 90, perMs: 60_000 };
}

/**
 * Keeps each action within its rate by making callers wait. Tokens come back one window after they were taken, the same sliding window
 * that the cloud counts in, so that the whole allowance can be used and none of it is refused.
 */
export class RateLimiter {
  readonly #taken = new Map<string, number[]>();
  readonly #heldUntil = new Map<string, number>();

  /**
   * Waits until one call of `key` may go, and takes its token. Callers go in the order in which they came.
   *
   * @param key account, region and action: what the cloud counts by
   */
  async take(key: string, rate: Rate, clock: Clock, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const wait = this.#reserve(key, rate, clock.now());
      if (wait <= 0) return;
      await clock.sleep(wait, signal);
    }
  }

  /** Lets no call of `key` go before the time `until`: the cloud has just refused one. */
  hold(key: string, until: number): void {
    this.#heldUntil.set(key, Math.max(until, this.#heldUntil.get(key) ?? 0));
  }

  /** Milliseconds to wait, or 0 and a token is taken. */
  #reserve(key: string, rate: Rate, now: number): number {
    const held = (this.#heldUntil.get(key) ?? 0) - now;
    if (held > 0) return held;
    let taken = this.#taken.get(key);
    if (!taken) this.#taken.set(key, (taken = []));
    while (taken.length > 0 && (taken[0] as number) <= now - rate.perMs) taken.shift();
    if (taken.length >= rate.calls) return (taken[0] as number) + rate.perMs - now;
    taken.push(now);
    return 0;
  }
}

/** The process's limiter: all clients of one process share the account's allowance. */
export const sharedLimiter = new RateLimiter();
