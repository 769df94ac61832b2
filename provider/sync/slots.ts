/** How urgent a change is; the lowest goes first. */
export const URGENCY = {
    /** The group has no backend that takes traffic. */
    empty: 0,
    /** The group has backends that take traffic and must not. */
    dead: 1,
    /** Backends or weights are added. */
    usual: 2,
} as const;

/** A place in the {@link URGENCY}. */
export type Urgency = (typeof URGENCY)[keyof typeof URGENCY];

/** Frees a slot while something is waited for. */
export type Pause = (wait: () => Promise<void>) => Promise<void>;

interface Waiter {
    readonly urgency: Urgency;
    readonly enter: () => void;
}

/** So many changes at a time. Those that wait are let in by their urgency, then in the order in which they came. */
export class Slots {
    #free: number;
    readonly #waiters: Waiter[] = [];

    constructor(count: number) {
        this.#free = count;
    }

    /** Runs a piece of work once there is a slot. What the work passes to `pause` does not take one: waits for what goes on elsewhere. */
    async run<T>(urgency: Urgency, work: (pause: Pause) => Promise<T>): Promise<T> {
        await this.#enter(urgency);
        try {
            return await work(async (wait) => {
                this.#leave();
                try {
                    await wait();
                } finally {
                    await this.#enter(urgency);
                }
            });
        } finally {
            this.#leave();
        }
    }

    #leave(): void {
        const next = this.#waiters.shift();
        if (next === undefined) this.#free++;
        else next.enter();
    }

    async #enter(urgency: Urgency): Promise<void> {
        if (this.#free > 0) {
            this.#free--;
            return;
        }
        await new Promise<void>((resolve) => {
            const place = this.#waiters.findIndex((waiter) => waiter.urgency > urgency);
            this.#waiters.splice(place === -1 ? this.#waiters.length : place, 0, { urgency, enter: resolve });
        });
    }
}

/** Slots for each kind of work. */
export class SlotPools {
    readonly #pools = new Map<string, Slots>();

    constructor(readonly count: number) {}

    of(kind: string): Slots {
        const slots = this.#pools.get(kind) ?? new Slots(this.count);
        this.#pools.set(kind, slots);
        return slots;
    }
}
