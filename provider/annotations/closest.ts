/** "Did you mean …?" */

/** The number of letters to insert, delete, replace or swap with the neighbour to make `b` out of `a`. */
export function editDistance(a: string, b: string): number {
    let beforeLast: number[] = [];
    let last = Array.from({ length: b.length + 1 }, (_, column) => column);
    for (let row = 1; row <= a.length; row++) {
        const current = [row];
        for (let column = 1; column <= b.length; column++) {
            const same = a[row - 1] === b[column - 1];
            let cost = Math.min(
                (last[column] ?? 0) + 1,
                (current[column - 1] ?? 0) + 1,
                (last[column - 1] ?? 0) + (same ? 0 : 1),
            );
            if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
                cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
            }
            current.push(cost);
        }
        [beforeLast, last] = [last, current];
    }
    return last[b.length] ?? 0;
}

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
        if (Math.abs(word.length - candidate.length) > limit) continue;
        const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
        if (distance <= limit && distance < bestDistance) [best, bestDistance] = [candidate, distance];
    }
    return best;
}
