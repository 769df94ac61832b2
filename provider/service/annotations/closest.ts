import { distance } from "fastest-levenshtein";
import { once } from "../../schema/defined";

/** Most letters in which a name may differ from the name that was meant, by its length. */
const mostEdits = (length: number): number => Math.min(MAX_EDITS, Math.max(1, Math.floor(length / 3)));

/** Beyond as many letters, two words mean two things. */
const MAX_EDITS = 3;

/**
 * Returns the candidate closest to a misspelt word, in any case. Undefined if over a third of the letters or more than
 * three differ, and if two candidates are equally close.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
    const given = word.toLowerCase();
    let best: string | undefined;
    let bestDistance = Infinity;
    for (const candidate of candidates) {
        const limit = mostEdits(Math.max(word.length, candidate.length));
        if (Math.abs(word.length - candidate.length) > limit) continue;
        const other = candidate.toLowerCase();
        const edits = isSwap(given, other) ? 1 : distance(given, other);
        if (edits > limit || edits > bestDistance) continue;
        best = edits === bestDistance ? undefined : candidate;
        bestDistance = edits;
    }
    return best;
}

/** Returns the remedy for a misspelt name, or `otherwise` if no known name is close. */
export const didYouMean = (nearest: string | undefined, otherwise: string): string =>
    nearest === undefined ? otherwise : `did you mean "${nearest}"?`;

/** True if two neighbouring letters changed places. The library counts two edits, too many for a short word. */
function isSwap(a: string, b: string): boolean {
    const at = [...a].findIndex((letter, index) => letter !== b[index]);
    const swapped = at < 0 ? a : a.slice(0, at) + (a[at + 1] ?? "") + (a[at] ?? "") + a.slice(at + 2);
    return a !== b && swapped === b;
}

/** Returns a name without the long common prefix, which would make all names look alike. */
export const restOf = (text: string): string => text.replace(/^.*?load-?balancer-?(?=.)|^.*\//i, "");

/** Words without meaning in the name of a load balancer annotation. */
const NOISE: ReadonlySet<string> = new Set(["loadbalancer", "lb", "slb", "clb", "nlb", "instance", "cloud"]);

/** Words that add nothing to the name of a setting: `hostname-enabled` is about `hostname`. */
const FLAGS: ReadonlySet<string> = new Set(["enable", "enabled", "flag", "switch", "value", "seconds"]);

/** Most letters that a slip of the keyboard changes. Beyond it, the parts of a name decide. */
const MAX_SLIPS = 2;

/** True if a slip of the keyboard, in any case, turns one text into the other. */
export const isSlip = (a: string, b: string): boolean =>
    Math.abs(a.length - b.length) <= MAX_SLIPS && distance(a.toLowerCase(), b.toLowerCase()) <= MAX_SLIPS;

/**
 * Returns the annotation name with the meaning of an unknown name, or `undefined` if none has it.
 *
 * All words have to agree, in any order, apart from slips and abbreviations. A name may lack half of the annotation's
 * words, and have more words than an annotation of two and more: `health-check-healthy-threshold` leads to
 * `healthy-threshold`, `loadbalancer-id` to `id`, but `security-group-id` does not.
 */
export function closestName(name: string, candidates: readonly string[]): string | undefined {
    const given = partsOf(restOf(name));
    const told = telling(candidates, given);
    if (told !== undefined) return told;
    const vocabulary = new Set(candidates.flatMap((candidate) => [...partsOfKnown(candidate)]));
    const slipped = closest(restOf(name), candidates.map(restOf));
    if (slipped !== undefined && isMisspelt(given, partsOf(slipped), vocabulary))
        return candidates.find((candidate) => restOf(candidate) === slipped);
    let best: string | undefined;
    let bestShare = 0;
    let isTied = false;
    for (const candidate of candidates) {
        const parts = partsOfKnown(candidate);
        const [here, there] = [countMatches(given, parts), countMatches(parts, given)];
        const isNamed = there === parts.size && (parts.size > 1 || isOnlyFlagged(given, parts));
        const isPart = here === given.size && 2 * there >= parts.size;
        if (here === 0 || !(isPart || isNamed)) continue;
        const share = (here + there) / (given.size + parts.size);
        isTied = share === bestShare || (isTied && share < bestShare);
        if (share > bestShare) [best, bestShare] = [candidate, share];
    }
    // One word that several names have says too little: `timeout`.
    return given.size === 1 && isTied ? undefined : best;
}

/** True if the words that differ are slips, and none is a word of another name. */
function isMisspelt(given: ReadonlySet<string>, meant: ReadonlySet<string>, vocabulary: ReadonlySet<string>): boolean {
    const others = [...given].filter((word) => !meant.has(word));
    return others.every((word) => !vocabulary.has(word));
}

const isOnlyFlagged = (given: ReadonlySet<string>, parts: ReadonlySet<string>): boolean =>
    [...given].every((word) => FLAGS.has(word) || countMatches(new Set([word]), parts) === 1);

/**
 * Returns the candidate with the longest part that no other has: `unhealthy` tells more than `health`, `check` and
 * `interval`. Undefined if there is none or the longest is that of two.
 */
function telling(candidates: readonly string[], given: ReadonlySet<string>): string | undefined {
    const parts = candidates.map((candidate) => partsOfKnown(candidate));
    const own = [...given]
        .filter(
            (part) =>
                part.length >= MIN_TELLING && !GENERAL.has(part) && parts.filter((one) => one.has(part)).length === 1,
        )
        .sort((a, b) => b.length - a.length);
    const owners = own
        .filter(({ length }) => length === own[0]?.length)
        .map((part) => parts.findIndex((one) => one.has(part)));
    return new Set(owners).size === 1 ? candidates[owners[0] ?? -1] : undefined;
}

/** Least letters of a part that decides by itself. */
const MIN_TELLING = 8;

/** Long words that are about many things. */
const GENERAL: ReadonlySet<string> = new Set(["external", "listener", "listeners", "security"]);

const countMatches = (first: ReadonlySet<string>, second: ReadonlySet<string>): number =>
    [...first].filter((part) => [...second].some((other) => sameWord(part, other))).length;

/** True for the same word and for its abbreviation: `cert` and `certificate`. */
function sameWord(a: string, b: string): boolean {
    const [short, long] = a.length < b.length ? [a, b] : [b, a];
    return short === long || `${short}s` === long || (short.length >= 4 && long.startsWith(short));
}

/** Parts of the catalogue's names. */
const KNOWN_PARTS = new Map<string, ReadonlySet<string>>();

const partsOfKnown = (candidate: string): ReadonlySet<string> =>
    once(KNOWN_PARTS, candidate, () => partsOf(restOf(candidate)));

/** Returns the parts of a name in lower case. `zoneid` has two, like `zone-id`. */
function partsOf(rest: string): ReadonlySet<string> {
    const parts = rest
        .toLowerCase()
        .split(/[-_.]/)
        .flatMap((part) => (part.length > 2 && part.endsWith("id") ? [part.slice(0, -2), "id"] : [part]))
        .filter((part) => part !== "" && !NOISE.has(part));
    return new Set(parts);
}
