/** What may be wrong with a Service. */

import type { InspectedService } from "../live/model";

/** One thing that is wrong, or may be. */
export interface Explanation {
    /**
     * - broken: it was observed.
     * - suspect: it is there and may not concern the user, such as a trap for clients inside the cluster.
     * - not seen: it could not be looked at.
     */
    readonly verdict: "broken" | "suspect" | "not seen";
    readonly what: string;
    /** What was observed. */
    readonly evidence: readonly string[];
    readonly remedy: string;
    /** Document and section. */
    readonly source: string;
}

/** A check of one Service. */
export type Examine = (live: InspectedService) => readonly Explanation[];

/** Texts in a line, the first ones. */
export function some(texts: readonly string[], most = 5): string {
    const rest = texts.length - most;
    return texts.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
