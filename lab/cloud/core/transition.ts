/** Status that changes after some time, like the states of the cloud's objects (`starting`, then `running`). */
export class Transition<S extends string> {
    private from: S;
    private to: S;
    private at: number;

    constructor(status: S) {
        this.from = status;
        this.to = status;
        this.at = 0;
    }

    /** The status at the given time, in milliseconds. */
    now(time: number = Date.now()): S {
        return time >= this.at ? this.to : this.from;
    }

    /** True while the change is under way. */
    changing(time: number): boolean {
        return time < this.at;
    }

    /** Shows `via` for `ms` milliseconds and `to` from then on. With 0 the change is instant. */
    go(via: S, to: S, ms: number, time: number): void {
        this.from = via;
        this.to = to;
        this.at = ms > 0 ? time + ms : 0;
    }
}
