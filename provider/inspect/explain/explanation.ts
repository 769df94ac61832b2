/** What may be wrong with a Service. */

import type { LiveService } from "../live/model";

/** One thing that is wrong, or may be. */
export interface Explanation {
    /** From 0 to 100: how likely it is the reason for what users notice. What was observed to be broken is 60 and more, what is only a trap is below 30. */
    readonly likelihood: number;
    readonly what: string;
    /** What was observed. */
    readonly evidence: readonly string[];
    readonly remedy: string;
    /** Document and section. */
    readonly source: string;
}

/** A check of one Service. */
export type Examine = (live: LiveService) => readonly Explanation[];

/** Texts in a line, the first ones. */
export function some(texts: readonly string[], most = 5): string {
    const rest = texts.length - most;
    return texts.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
