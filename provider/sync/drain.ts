/** Drain of backends. A pod that terminates and still serves keeps its connections, and gets no new connections. */
import { type Backend, formatBackendKey } from "../schema/backend";
import { type BindingSpec, DEFAULT_DRAIN_SECONDS } from "./binding/spec";

/** Start of the drain of members, in milliseconds, by backend key. */
export type Draining = ReadonlyMap<string, number>;

export interface Drain {
    /** Members that leave, with weight 0. */
    readonly members: readonly Backend[];
    readonly draining: Draining;
    /** Milliseconds until the drain of the next member ends. */
    readonly recheckMs?: number;
}

/**
 * Returns the managed members that leave and still serve, with weight 0, until their drain ends. With graceful-shutdown
 * there are none: the desired members contain them for as long as they serve.
 *
 * @param serving members that take traffic as long as draining endpoints serve.
 * @param own managed members of the group.
 * @param before result of the last reconciliation.
 * @param now milliseconds.
 */
export function drain(
    spec: BindingSpec,
    serving: readonly Backend[],
    own: readonly Backend[],
    desired: readonly Backend[],
    before: Draining,
    now: number,
): Drain {
    const limit = (spec.drainSeconds ?? DEFAULT_DRAIN_SECONDS) * 1000;
    if (limit === 0 || spec.ignoreWeightUpdate === true) return { members: [], draining: new Map() };
    const servingKeys = new Set(serving.map(formatBackendKey));
    const desiredKeys = new Set(desired.map(formatBackendKey));
    const leaving = own
        .filter((member) => servingKeys.has(formatBackendKey(member)) && !desiredKeys.has(formatBackendKey(member)))
        .map((member) => {
            const since = before.get(formatBackendKey(member)) ?? now;
            return { member, since, left: since + limit - now };
        });
    const kept = leaving.filter(({ left }) => left > 0);
    return {
        members: kept.map(({ member }) => ({ ...member, weight: 0 })),
        draining: new Map(leaving.map(({ member, since }) => [formatBackendKey(member), since])),
        ...(kept.length === 0 ? {} : { recheckMs: Math.min(...kept.map(({ left }) => left)) }),
    };
}
