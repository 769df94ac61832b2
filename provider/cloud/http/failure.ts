import { isTlsFault, type Backoff } from "../../net";

/**
 * Reason of a failed call, which decides if it is tried again.
 * - throttled: too many calls, and the cloud did nothing. Tried again after growing waits.
 * - busy: another change of the same object is under way, and the cloud did nothing. Tried again soon.
 * - unavailable: the call never reached the product, or the product refuses all calls. Tried again.
 * - uncertain: the cloud may have acted (no answer, or an internal error). Tried again only where repeating is
 *   harmless.
 * - final: trying again cannot help.
 */
export type FailureKind = "throttled" | "busy" | "unavailable" | "uncertain" | "final";

/**
 * Tries and waits of each kind that is tried again. A busy object is polled often: most are free within seconds, some
 * after minutes. A throttled account needs about a minute.
 */
export const defaultBackoff: Readonly<Record<Exclude<FailureKind, "final">, Backoff>> = {
    throttled: { attempts: 12, baseMs: 1_000, capMs: 30_000 },
    busy: { attempts: 100, baseMs: 250, capMs: 5_000 },
    unavailable: { attempts: 8, baseMs: 500, capMs: 15_000 },
    uncertain: { attempts: 6, baseMs: 500, capMs: 15_000 },
};

/**
 * Codes that say: an earlier change of this object is still being carried out. CLB first, then NLB. Sources: API
 * references 2014-05-15 and 2022-04-30, error codes; terraform-provider-alicloud, codes that it tries again.
 */
export const BUSY_CODES: readonly (string | RegExp)[] = [
    /IsConfiguring$/,
    "ServiceIsStopping",
    "SystemBusy",
    "OperationBusy",
    "OperationConflict",
    "TaskConflict",
    "ProcessingSameRequest",
    // Of an access control list, a domain, a token. The word alone is prose.
    /.Processing$/,
    "OperationFailed.TokenIsProcessing",
    /StatusNotSupport$/,
    /NotChanged$/,
    /^IncorrectStatus\./,
    /^IncorrectBusinessStatus\./,
    /^ResourceInConfiguring/,
    "Conflict.Lock",
    "Conflict.Acl",
];

/** The same for a CLB's server group, whose changes others make too. */
export const BUSY_GROUP_CODES = ["VServerGroupProcessing", "BackendServer.configuring"] as const;

const isBusy = (code: string): boolean =>
    [...BUSY_CODES, ...BUSY_GROUP_CODES].some((known) => (known instanceof RegExp ? known.test(code) : known === code));

/** Judges an answer that is not a success. */
export function classifyResponse(code: string, httpStatus: number): FailureKind {
    if (httpStatus === 429 || code.includes("Throttling")) return "throttled";
    if (isBusy(code)) return "busy";
    if (httpStatus === 503 || code === "ServiceUnavailable") return "unavailable";
    if (httpStatus >= 500 || code === "InternalError") return "uncertain";
    return "final";
}

/** Judges an exchange that brought no answer. */
export function classifyNoResponse(code: string, sent: boolean): FailureKind {
    if (isTlsFault(code)) return "final";
    return sent ? "uncertain" : "unavailable";
}

const HARMLESS = /^(?:Describe|List|Get|Query|Set|Modify|Update|Delete|Remove|Tag|Untag|Start|Stop|Move)/;

/**
 * True if a call may be repeated although the first try may have been carried out: reading, setting to a value,
 * removing. Not creating or adding: CLB offers no idempotency token outside CreateLoadBalancer.
 */
export const isIdempotent = (action: string): boolean => HARMLESS.test(action);
