/** Which annotation a key stands for that is none. */

import { distance } from "fastest-levenshtein";
import { closest } from "./closest";

/** Words that say of a load balancer annotation only that it is one. */
const NOISE: ReadonlySet<string> = new Set(["loadbalancer", "lb", "slb", "clb", "nlb", "instance", "cloud"]);

/** Letters that a slip of the keyboard changes; with more, the parts of a name say more about it. */
const MAX_SLIPS = 2;

/** What a key says beyond its prefix. */
const restOf = (name: string): string => name.replace(/^.*?loadbalancer-?|^.*\//i, "");

/**
 * The candidate that a name most probably stands for: by its letters, or by its parts, so that `health-check-healthy-threshold` leads to `healthy-threshold` and `loadbalancer-id`
 * to `id`.
 *
 * @returns `undefined` if nothing is similar enough.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
    // The long common part would make all names look alike; what counts is the rest.
    const rest = restOf(name);
    const letters = closest(rest, candidates.map(restOf));
    const byLetters = letters === undefined ? undefined : candidates.find((candidate) => restOf(candidate) === letters);
    const slip = letters !== undefined && distance(rest.toLowerCase(), letters) <= MAX_SLIPS;
    return slip ? byLetters : (byParts(rest, candidates) ?? byLetters);
}

/** The candidate that has the most parts in common, if one of the two has all parts of the other. */
function byParts(rest: string, candidates: readonly string[]): string | undefined {
    const given = partsOf(rest);
    let best: string | undefined;
    let bestShare = 0;
    for (const candidate of candidates) {
        const parts = partsOf(restOf(candidate));
        const [here, there] = [matches(given, parts), matches(parts, given)];
        if (here === 0 || (here < given.size && there < parts.size)) continue;
        const share = (here + there) / (given.size + parts.size);
        if (share > bestShare) [best, bestShare] = [candidate, share];
    }
    return best;
}

/** How many parts of the first name are parts of the second one too. */
const matches = (first: ReadonlySet<string>, second: ReadonlySet<string>): number =>
    [...first].filter((part) => [...second].some((other) => sameWord(part, other))).length;

/** The same word, or its abbreviation: `cert` and `certificate`. */
function sameWord(a: string, b: string): boolean {
    const [short, long] = a.length < b.length ? [a, b] : [b, a];
    return short === long || (short.length >= 4 && long.startsWith(short));
}

/** The parts of a name in lower case; `zoneid` is two, as is `zone-id`. */
function partsOf(rest: string): ReadonlySet<string> {
    const parts = rest
        .toLowerCase()
        .split(/[-_.]/)
        .flatMap((part) => (part.length > 2 && part.endsWith("id") ? [part.slice(0, -2), "id"] : [part]))
        .filter((part) => part !== "" && !NOISE.has(part));
    return new Set(parts);
}
