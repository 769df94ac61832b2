/** Limit of what happens at a time. Who waits starts by urgency, the lowest first, then in the order of coming. */
export class Turns {
    readonly #waiting: { readonly urgency: number; readonly start: () => void }[] = [];
    #free: number;

    constructor(atOnce: number) {
        this.#free = atOnce;
    }

    async take(urgency = 0): Promise<void> {
        if (this.#free > 0) {
            this.#free--;
            return;
        }
        await new Promise<void>((start) => {
            const place = this.#waiting.findIndex((other) => other.urgency > urgency);
            this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, { urgency, start });
        });
    }

    release(): void {
        const next = this.#waiting.shift();
        if (next === undefined) this.#free++;
        else next.start();
    }
}
