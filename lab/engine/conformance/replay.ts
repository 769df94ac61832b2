import { loadCases, waitsByTheClock } from "./case";
import type { Difference } from "./compare";
import { KNOWN_DIFFERENCES } from "./known";
import { CaseRunner, type RunnerOptions } from "./runner";

/** Result of one case. */
export interface Verdict {
    kind: "equal" | "different" | "wrong";
    differences: (Difference & { reason?: string })[];
    milliseconds: number;
}

/** How much longer the timers of a program take in a second attempt. */
const SLOW_CLOCK = 5;

/**
 * Replays cases, a few at a time.
 * @param ids cases to replay; empty = all
 * @param report called after each case
 */
export async function replay(
    o: RunnerOptions,
    ids: readonly string[],
    jobs: number,
    report: (id: string, v: Verdict) => void = () => undefined,
): Promise<Map<string, Verdict>> {
    const cases = loadCases(o.corpus).filter((c) => ids.length === 0 || ids.includes(c.id));
    // Long ones first, so that no worker is left with one at the end.
    const queue = cases.slice().sort((a, b) => b.steps.length - a.steps.length);
    const verdicts = new Map<string, Verdict>();
    const work = async () => {
        for (let c = queue.shift(); c; c = queue.shift()) {
            const started = Date.now();
            const known = KNOWN_DIFFERENCES[c.id] ?? [];
            let found = await new CaseRunner(c, o).run();
            // A program that waits by the clock is given more time before its differences count.
            if (found.length > 0 && waitsByTheClock(c)) found = await new CaseRunner(c, o, SLOW_CLOCK).run();
            const differences: Verdict["differences"] = found.map((d) => {
                const k = known.find((x) => x.where.test(d.where));
                return k ? { ...d, reason: k.reason } : d;
            });
            const kind =
                differences.length === 0
                    ? "equal"
                    : differences.every((d) => d.reason !== undefined)
                      ? "different"
                      : "wrong";
            const v: Verdict = { kind, differences, milliseconds: Date.now() - started };
            verdicts.set(c.id, v);
            report(c.id, v);
        }
    };
    await Promise.all(Array.from({ length: Math.max(1, jobs) }, work));
    return verdicts;
}
