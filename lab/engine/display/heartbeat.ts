const PERIOD_MS = 1000;

/** The dots that show a user without a terminal that a run is active: one a second since the last line. */
export class Heartbeat {
    private timer: NodeJS.Timeout | undefined;
    private hasWritten = false;

    /** @param label what the run does; empty for no heartbeat */
    constructor(
        private readonly label: string,
        private readonly write: (text: string) => void,
    ) {
        if (label !== "") this.timer = setInterval(() => this.tick(), PERIOD_MS).unref();
    }

    private tick(): void {
        this.write(this.hasWritten ? "." : `@ ${this.label}....`);
        this.hasWritten = true;
    }

    /** Ends the line of dots, before anything else is written. */
    reset(): void {
        if (this.hasWritten) this.write("\n");
        this.hasWritten = false;
    }

    stop(): void {
        clearInterval(this.timer);
        this.reset();
    }
}
