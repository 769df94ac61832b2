/** Takes a line of progress for a human. */
export type Report = (line: string) => void;

/** A report that puts the seconds since its making before each line. */
export function timed(write: Report): Report {
    const start = Date.now();
    return (line) => write(`[${((Date.now() - start) / 1000).toFixed(1).padStart(6)} s] ${line}`);
}

/**
 * Says every `seconds` that something still goes on, until the returned function is called.
 * @param line gets the seconds since the start.
 */
export function heartbeat(report: Report, seconds: number, line: (elapsed: number) => string): () => void {
    const start = Date.now();
    const timer = setInterval(() => report(line(Math.round((Date.now() - start) / 1000))), seconds * 1000);
    timer.unref();
    return () => clearInterval(timer);
}
