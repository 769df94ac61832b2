import { isMap, mapValues, Secret, type Value, type ValueMap } from "../value";
import type { EngineEvent, StepFacts } from "./events";

/** Secrets shorter than this are not looked for: they would be found everywhere. */
const SHORTEST = 3;
const MASK = "[secret]";

/**
 * Takes secrets of the configuration out of events, wherever their text occurs.
 * @param secrets texts in clear
 */
export function maskEvents(secrets: readonly string[]): (e: EngineEvent) => EngineEvent {
    const texts = new Set<string>();
    for (const s of secrets) {
        if (s.length < SHORTEST) continue;
        texts.add(s);
        texts.add(JSON.stringify(s).slice(1, -1));
    }
    if (texts.size === 0) return (e) => e;
    const longestFirst = [...texts].sort((a, b) => b.length - a.length);
    const text = (t: string): string => longestFirst.reduce((r, s) => r.split(s).join(MASK), t);
    const value = (v: Value): Value => {
        if (typeof v === "string") return text(v);
        if (Array.isArray(v)) return v.map(value);
        if (isMap(v) && !(v instanceof Secret)) return map(v);
        return v;
    };
    const map = (m: ValueMap): ValueMap => mapValues(m, value);
    const state = (s: StepFacts["now"]): StepFacts["now"] =>
        s && { ...s, inputs: map(s.inputs), outputs: map(s.outputs) };
    const step = (s: StepFacts): StepFacts => ({ ...s, old: state(s.old), now: state(s.now) });
    return (e) => {
        switch (e.kind) {
            case "diagnostic":
                return { ...e, message: text(e.message) };
            case "begin":
            case "outputs":
            case "failed":
                return { ...e, step: step(e.step) };
            case "violation":
                return { ...e, violation: { ...e.violation, message: text(e.violation.message) } };
            case "remediation":
                return { ...e, before: map(e.before), after: map(e.after) };
            default:
                return e;
        }
    };
}
