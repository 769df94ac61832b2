/**
 * Ids of new objects: `<prefix>-0001`, counted per prefix: tests can predict them, and two runs can be compared.
 * A seed may ask for a particular id, which the next object of that prefix then gets.
 */
export class Ids {
    private readonly counters = new Map<string, number>();
    private readonly asked = new Map<string, string[]>();

    next(prefix: string): string {
        const desired = this.asked.get(prefix)?.shift();
        if (desired !== undefined) return desired;
        const n = (this.counters.get(prefix) ?? 0) + 1;
        this.counters.set(prefix, n);
        return `${prefix}-${String(n).padStart(4, "0")}`;
    }

    /** Gives `id` to the next object of this prefix. */
    ask(prefix: string, id: string): void {
        this.asked.set(prefix, [...(this.asked.get(prefix) ?? []), id]);
    }

    /** Forgets ids that were asked for and not used. */
    forgetAsked(): void {
        this.asked.clear();
    }
}
