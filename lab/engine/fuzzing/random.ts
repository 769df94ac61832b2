/** A source of pseudo-random numbers (mulberry32): the same seed gives the same numbers. */
export class Random {
    private state: number;

    constructor(seed: number) {
        this.state = seed >>> 0;
    }

    /** At least 0, less than 1. */
    next(): number {
        this.state = (this.state + 0x6d2b79f5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 0x100000000;
    }

    /** At least 0, less than `end`. */
    int(end: number): number {
        return Math.floor(this.next() * end);
    }

    chance(probability: number): boolean {
        return this.next() < probability;
    }

    pick<T>(list: readonly T[]): T {
        const item = list[this.int(list.length)];
        if (item === undefined) throw new Error("nothing to pick from");
        return item;
    }

    /** Each item with the given probability. */
    some<T>(list: readonly T[], probability: number): T[] {
        return list.filter(() => this.chance(probability));
    }
}
