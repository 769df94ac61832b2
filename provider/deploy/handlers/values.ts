/** What every dynamic provider must know of the engine's values. */

/** How the engine writes a value that is not known before `pulumi up`. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A setting that cannot be accepted, for the engine to show. */
export interface CheckFailure {
    readonly property: string;
    readonly reason: string;
}

/** Answer of a check. */
export interface CheckResult<Inputs> {
    readonly inputs: Inputs;
    readonly failures: readonly CheckFailure[];
}

/** Whether a value, or one inside it, is not known yet. */
export function isUnknown(value: unknown): boolean {
    if (value === UNKNOWN) {
        return true;
    }
    return typeof value === "object" && value !== null && Object.values(value).some(isUnknown);
}

/** Inputs without what is undefined: the engine refuses such values in an answer, after the call has been made. */
export function plain<T extends object>(value: T): T {
    return JSON.parse(JSON.stringify(value)) as T;
}
