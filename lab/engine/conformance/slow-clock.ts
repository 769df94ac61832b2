/**
 * Loaded into a program before anything else: its timers take longer. Some recorded programs wait a few seconds so that
 * the engine is done with everything else by then; on a busy machine that takes longer than where they were recorded.
 */
const factor = Number(process.env["CORPUS_SLOW_CLOCK"] ?? 1);

if (factor > 1 && process.argv[1]?.includes("cmd/run/")) {
    const original = global.setTimeout;
    const slow = (f: () => void, ms?: number, ...args: []) =>
        // Short timers are the SDK's own and carry no meaning for the order of events.
        original(f, ms !== undefined && ms >= 1000 ? ms * factor : ms, ...args);
    Object.assign(slow, original);
    global.setTimeout = slow as typeof setTimeout;
}
