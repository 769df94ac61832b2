import { maskEvents } from "./events";
import { Phase, type RunningPhase, type RunRequestOptions } from "./phase";

export type { RunningPhase, RunRequestOptions, RunResult } from "./phase";

/** Starts a phase: a preview, or the real thing. Values of secret settings are hidden in all its events. */
export function startRun(r: RunRequestOptions): RunningPhase {
    const mask = maskEvents([...r.config.values()].filter((v) => v.secret).map((v) => v.text));
    const phase = new Phase({ ...r, events: (e) => r.events(mask(e)) });
    return { result: phase.run(), cancel: () => phase.cancel(), terminate: () => phase.terminate() };
}
