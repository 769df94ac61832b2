import { isMap, sameProperty, type Property } from "./properties";

/**
 * Pairs the elements of two versions of a set of objects by likeness: the position in `others` for
 * each position in `elements`. `undefined` when they are not all objects, so that positions count.
 */
export function matchElements(elements: Property[], others: Property[]): Map<number, number> | undefined {
    if (!elements.every(isMap) || !others.every(isMap)) return undefined;
    const candidates: { from: number; to: number; score: number }[] = [];
    elements.forEach((element, from) =>
        others.forEach((other, to) => {
            let score = 0;
            for (const [name, value] of Object.entries(element)) {
                if (!(name in other)) continue;
                score += sameProperty(value, other[name]) ? 3 : 1;
            }
            candidates.push({ from, to, score });
        }),
    );
    candidates.sort((a, b) => b.score - a.score);
    const pairs = new Map<number, number>();
    const taken = new Set<number>();
    for (const { from, to } of candidates) {
        if (pairs.has(from) || taken.has(to)) continue;
        pairs.set(from, to);
        taken.add(to);
    }
    return pairs;
}
