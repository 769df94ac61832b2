/** Fraction of a recorded pause that is really slept. Environment variable LAB_ALICLOUD_SLEEP, default 0.02. */
const factor = (): number => {
    const given = Number(process.env["LAB_ALICLOUD_SLEEP"] ?? "0.02");
    return Number.isFinite(given) && given >= 0 ? given : 0.02;
};

/**
 * Time of one operation. Pauses are shortened by LAB_ALICLOUD_SLEEP but count in full, which keeps the number of
 * attempts within limits such as "retry for five minutes".
 */
export class Clock {
    private readonly started = performance.now();
    /** Seconds that were asked for beyond those really slept. */
    private skipped = 0;
    private slept = 0;

    /** Seconds since the operation began. */
    now(): number {
        return (performance.now() - this.started) / 1000 + this.skipped;
    }

    async sleep(seconds: number): Promise<void> {
        const real = seconds * factor();
        await new Promise((resolve) => setTimeout(resolve, real * 1000));
        this.skipped += seconds - real;
        this.slept += seconds;
    }

    /** Seconds slept since the last time this was asked. */
    takeSlept(): number {
        const slept = this.slept;
        this.slept = 0;
        return slept;
    }
}
