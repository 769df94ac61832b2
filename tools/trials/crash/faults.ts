/** Faults of a mutating call. */
import type { Fault } from "../../../lab/cloud";
import { type Call, HIT } from "../world";

const THROTTLED = { code: "Throttling.User" } as const;
const UNAVAILABLE = { code: "ServiceUnavailable", status: 503 } as const;

const lasting =
    (refusal: Pick<Fault, "code" | "status">) =>
    (one: Fault, forMs: number): readonly Fault[] => [
        { ...one, ...refusal },
        { action: "*", after: HIT, forMs, ...refusal },
    ];

/** A refusal that lasts until the run ends: a missing permission, a quota, an unpaid bill. */
const REFUSED = { code: "Forbidden.RAM", status: 403 } as const;

/**
 * Faults at a mutating call. The last two last for {@link OUTAGE} and affect every call from there on, reads too. A
 * refused call is refused as often as the run makes it. The others happen once. A killed run ends while its call is held back. With a stale read, the call works, and the next
 * read does not show its effect.
 */
const TABLE = {
    "killed before": (one) => [{ ...one, hold: true, drop: true }],
    "killed after": (one) => [{ ...one, hold: true }],
    "answer lost": (one) => [{ ...one, dropAfterEffect: true }],
    refused: (one, _, action) => [
        { ...one, ...REFUSED },
        { action, mutating: true, after: HIT, ...REFUSED },
    ],
    throttled: (one) => [{ ...one, ...THROTTLED }],
    unavailable: (one) => [{ ...one, ...UNAVAILABLE }],
    "job failed": (one) => [{ ...one, jobFails: true }],
    "stale read": (one) => [one, { action: "*", mutating: false, after: HIT, stale: true, times: 1 }],
    "throttled for a while": lasting(THROTTLED),
    "unavailable for a while": lasting(UNAVAILABLE),
} satisfies Record<string, (one: Fault, outage: number, action: string) => readonly Fault[]>;
export type FaultKind = keyof typeof TABLE;
export const FAULTS = Object.keys(TABLE) as readonly FaultKind[];

/** The CLI is killed while a call is under way: before or after the effect of the call. */
export const KILLS: readonly FaultKind[] = ["killed before", "killed after"];

/** Milliseconds of an outage. The pauses of the lab's plugin take no time, so this exceeds each of its time limits. */
export const OUTAGE = 5_000;

/** Faults that end a run, after which a Service may be removed. */
export const ENDS: readonly FaultKind[] = [...KILLS, "refused", "job failed", "unavailable for a while"];

/** @param outage milliseconds of a fault that lasts */
export const faultsFor = (kind: FaultKind, at: number, { action }: Call, outage: number): readonly Fault[] =>
    TABLE[kind]({ id: HIT, action: "*", mutating: true, skip: at, times: 1 }, outage, action);

export interface Point {
    readonly scenario: string;
    /** Number of the call, from 0. */
    readonly at: number;
    readonly call: Call;
    readonly fault: FaultKind;
    /** True if the next run needed `--refresh`. */
    readonly refreshed: boolean;
    /** Problems after the recovery, none if all is as after an undisturbed run. */
    readonly wrong: readonly string[];
}

/** Reports whether a kind of fault can hit a call. Only NLB works by jobs. */
export const applies = (kind: FaultKind, { product }: Call): boolean => kind !== "job failed" || product === "Nlb";
