/** What the doctor finds. */

/** `ok`; `warning`: it works with limits; `error`: a run would fail; `skipped`: it could not be looked at. */
export type State = "ok" | "warning" | "error" | "skipped";

/** One thing that was looked at. */
export interface Check {
    /** `facts` are what the cluster says of itself. */
    readonly area: "tools" | "cluster" | "facts" | "cloud";
    readonly what: string;
    readonly state: State;
    /** What was found. */
    readonly found: string;
    /** What to do; absent where nothing is to be done. */
    readonly remedy?: string;
}

/** The gravest state of all. */
export function worst(checks: readonly Check[]): State {
    const order: readonly State[] = ["error", "warning", "skipped", "ok"];
    return order.find((state) => checks.some((check) => check.state === state)) ?? "ok";
}
