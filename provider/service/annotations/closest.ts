import { distance } from "fastest-levenshtein";

/**
 * Returns the candidate closest to a misspelt word, in any case, or `undefined` if over a third of the letters differ.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
    let best: string | undefined;
    let bestDistance = Infinity;
    for (const candidate of candidates) {
        const limit = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
        const [a, b] = [word.toLowerCase(), candidate.toLowerCase()];
        const edits = isSwap(a, b) ? 1 : distance(a, b);
        if (edits <= limit && edits < bestDistance) [best, bestDistance] = [candidate, edits];
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
const restOf = (text: string): string => text.replace(/^.*?loadbalancer-?|^.*\//i, "");

/** Words without meaning in the name of a load balancer annotation. */
const NOISE: ReadonlySet<string> = new Set(["loadbalancer", "lb", "slb", "clb", "nlb", "instance", "cloud"]);

/** Most letters that a slip of the keyboard changes. Beyond it, the parts of a name decide. */
const MAX_SLIPS = 2;

/** True if a slip of the keyboard, in any case, turns one text into the other. */
export const isSlip = (a: string, b: string): boolean => distance(a.toLowerCase(), b.toLowerCase()) <= MAX_SLIPS;

/**
 * Returns the annotation name closest to an unknown name, by letters or by parts, or `undefined` if none is similar.
 * `health-check-healthy-threshold` leads to `healthy-threshold`, `loadbalancer-id` to `id`.
 */
export function closestName(name: string, candidates: readonly string[]): string | undefined {
    const rest = restOf(name);
    const letters = closest(rest, candidates.map(restOf));
    const byLetters = letters === undefined ? undefined : candidates.find((candidate) => restOf(candidate) === letters);
    const given = partsOf(rest);
    const told = telling(candidates, given);
    if (told !== undefined) return told;
    if (letters !== undefined && isSlip(rest, letters)) return byLetters;
    let byParts: string | undefined;
    let bestShare = 0;
    for (const candidate of candidates) {
        const parts = partsOf(restOf(candidate));
        const [here, there] = [countMatches(given, parts), countMatches(parts, given)];
        if (here === 0 || (here < given.size && there < parts.size)) continue;
        const share = (here + there) / (given.size + parts.size);
        if (share > bestShare) [byParts, bestShare] = [candidate, share];
    }
    return byParts ?? byLetters;
}

/**
 * Returns the candidate with the longest part that no other has: `unhealthy` tells more than `health`, `check` and
 * `interval`. Undefined if there is none or the longest is that of two.
 */
function telling(candidates: readonly string[], given: ReadonlySet<string>): string | undefined {
    const parts = candidates.map((candidate) => partsOf(restOf(candidate)));
    const own = [...given]
        .filter((part) => part.length >= MIN_TELLING && parts.filter((one) => one.has(part)).length === 1)
        .sort((a, b) => b.length - a.length);
    const owners = own
        .filter(({ length }) => length === own[0]?.length)
        .map((part) => parts.findIndex((one) => one.has(part)));
    return new Set(owners).size === 1 ? candidates[owners[0] ?? -1] : undefined;
}

/** Least letters of a part that decides by itself. */
const MIN_TELLING = 8;

const countMatches = (first: ReadonlySet<string>, second: ReadonlySet<string>): number =>
    [...first].filter((part) => [...second].some((other) => sameWord(part, other))).length;

/** True for the same word and for its abbreviation: `cert` and `certificate`. */
function sameWord(a: string, b: string): boolean {
    const [short, long] = a.length < b.length ? [a, b] : [b, a];
    return short === long || (short.length >= 4 && long.startsWith(short));
}

/** Returns the parts of a name in lower case. `zoneid` has two, like `zone-id`. */
function partsOf(rest: string): ReadonlySet<string> {
    const parts = rest
        .toLowerCase()
        .split(/[-_.]/)
        .flatMap((part) => (part.length > 2 && part.endsWith("id") ? [part.slice(0, -2), "id"] : [part]))
        .filter((part) => part !== "" && !NOISE.has(part));
    return new Set(parts);
}
