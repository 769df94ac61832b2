import { isLeftToCcm } from "../../provider/service/controller";
import type { InspectedService } from "../inspect/model";

export interface Explanation {
    /**
     * - broken: observed.
     * - drift: observed and desired state differ, and traffic is the same.
     * - suspect: observed, but may not concern the user, such as a trap for clients inside the cluster.
     * - history: observed, and over.
     * - not seen: could not be checked.
     */
    readonly verdict: "broken" | "drift" | "suspect" | "history" | "not seen";
    /** True if observed and desired state differ. Default: false. */
    readonly drift?: boolean;
    readonly what: string;
    readonly evidence: readonly string[];
    readonly remedy: string;
    readonly source: string;
}

export type Examine = (live: InspectedService) => readonly Explanation[] | Explanation | undefined;

const explanation =
    (verdict: Explanation["verdict"]) =>
    (what: string, evidence: readonly string[], remedy: string, source: string): Explanation => ({
        verdict,
        what,
        evidence,
        remedy,
        source,
    });

export const broken = explanation("broken");
export const suspect = explanation("suspect");
export const notSeen = explanation("not seen");

/** Explanation of a difference between observed and desired state. */
export const drifted = (verdict: "broken" | "drift", ...what: Parameters<typeof broken>): Explanation => ({
    ...explanation(verdict)(...what),
    drift: true,
});

/**
 * Returns how a Service's load balancer becomes what the Service asks for, by its manager.
 *
 * @param effect of a run, after "run pulumi up --refresh"
 */
export const setBack = ({ object }: InspectedService, effect: string): string =>
    isLeftToCcm(object)
        ? "change an annotation of the Service: the Cloud Controller Manager corrects listeners with each change of it"
        : `run pulumi up --refresh${effect}`;

/** Joins the first five texts and counts the rest. */
export function some(texts: readonly string[]): string {
    const rest = texts.length - 5;
    return texts.slice(0, 5).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
