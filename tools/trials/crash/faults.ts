/** Faults of a mutating call. */
import type { Fault } from "../../../lab/cloud";
import { type Call, HIT } from "../world";

/**
 * Faults at a mutating call. The last two last for {@link OUTAGE} and affect every call from there on, reads too. The
 * others happen once. With a stale read, the call works, and the next read does not show its effect.
 */
export const FAULTS = [
    "killed before",
    "killed after",
    "answer lost",
    "throttled",
    "unavailable",
    "job failed",
    "stale read",
    "throttled for a while",
    "unavailable for a while",
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** The CLI is killed while a call is under way: before or after the effect of the call. */
export const KILLS = ["killed before", "killed after"] as const satisfies readonly FaultKind[];
export type Killed = (typeof KILLS)[number];

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

/** Milliseconds of an outage. The pauses of the lab's plugin take no time, so this exceeds each of its time limits. */
export const OUTAGE = 5_000;

/** @param outage milliseconds of a fault that lasts */
export function faultsFor(kind: Exclude<FaultKind, Killed>, at: number, outage = OUTAGE): readonly Fault[] {
    const one = { id: HIT, action: "*", mutating: true, skip: at, times: 1 } as const;
    const lasting = (refusal: Pick<Fault, "code" | "status">): readonly Fault[] => [
        { ...one, ...refusal },
        { action: "*", after: HIT, forMs: outage, ...refusal },
    ];
    switch (kind) {
        case "answer lost":
            return [{ ...one, dropAfterEffect: true }];
        case "throttled":
            return [{ ...one, ...THROTTLED }];
        case "unavailable":
            return [{ ...one, ...UNAVAILABLE }];
        case "job failed":
            return [{ ...one, jobFails: true }];
        case "stale read":
            return [one, { action: "*", mutating: false, after: HIT, stale: true, times: 1 }];
        case "throttled for a while":
            return lasting(THROTTLED);
        case "unavailable for a while":
            return lasting(UNAVAILABLE);
    }
}

const THROTTLED = { code: "Throttling.User" } as const;
const UNAVAILABLE = { code: "ServiceUnavailable", status: 503 } as const;

/** Reports whether a kind of fault can hit a call. Only NLB works by jobs. */
export const applies = (kind: FaultKind, { product }: Call): boolean => kind !== "job failed" || product === "Nlb";
