/** Result of a check: `ok`, `warning` (works with limits), `error` (a run would fail) or `skipped` (not checked). */
export type State = "ok" | "warning" | "error" | "skipped";

export interface Answer {
    readonly state: State;
    readonly found: string;
    /** Absent where nothing is to be done. */
    readonly remedy?: string;
}

export interface Check extends Answer {
    /** `facts` are those that the cluster publishes about itself. */
    readonly area: "tools" | "cluster" | "facts" | "cloud";
    readonly what: string;
}

export const ok = (found: string): Answer => ({ state: "ok", found });
export const warning = (found: string, remedy: string): Answer => ({ state: "warning", found, remedy });
export const failure = (found: string, remedy: string): Answer => ({ state: "error", found, remedy });
export const skipped = (found: string, remedy: string): Answer => ({ state: "skipped", found, remedy });

/** Finding of a check that the caller's permissions do not allow. */
export const REFUSED = "this user may not look";

export function worst(checks: readonly Check[]): State {
    const order: readonly State[] = ["error", "warning", "skipped", "ok"];
    return order.find((state) => checks.some((check) => check.state === state)) ?? "ok";
}
