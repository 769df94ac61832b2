/** "Did you mean …?" */

import { distance } from "fastest-levenshtein";

/**
 * The candidate that a misspelt word most probably stands for, upper and lower case aside.
 *
 * @returns `undefined` if nothing is similar enough, that is if more than a third of the letters differ.
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

/** Whether two neighbouring letters changed places, which the library counts as two edits: too many for a short word. */
function isSwap(a: string, b: string): boolean {
    const at = [...a].findIndex((letter, index) => letter !== b[index]);
    const swapped = at < 0 ? a : a.slice(0, at) + (a[at + 1] ?? "") + (a[at] ?? "") + a.slice(at + 2);
    return a !== b && swapped === b;
}
