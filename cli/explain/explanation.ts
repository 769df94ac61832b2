import { managerOf } from "../../provider/service/controller";
import { ownerOf } from "../inspect/groups";
import type { InspectedService } from "../inspect/model";

export interface Explanation {
    /**
     * - broken: observed.
     * - drift: something is not as it is to be, and traffic is the same.
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
    /** Time of an event, ISO 8601, empty if unknown. Absent: it is so now. */
    readonly at?: string;
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
/** Explanation of what breaks nothing now and is to be known all the same: the summary names it. */
export const aside = explanation("drift");
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
export function setBack(live: InspectedService, effect: string): string {
    const { kind } = managerOf(live.object);
    if (kind === "ccm" || (kind === "nobody" && ownerOf(live) === undefined))
        return (
            "change an annotation of the Service: the Cloud Controller Manager corrects listeners with each change " +
            "of it"
        );
    const own =
        kind === "follower"
            ? ". A program that follows a Service reads its own manifest: what another tool has changed in the " +
              "Service is to be written there, too"
            : "";
    return `run pulumi up --refresh${effect}${own}`;
}

/** Joins the first five texts and counts the rest. */
export function some(texts: readonly string[]): string {
    const rest = texts.length - 5;
    return texts.slice(0, 5).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
