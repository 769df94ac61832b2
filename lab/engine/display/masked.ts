import type { EngineEvent, EventSink, StepFacts } from "../events";
import { isMap, mapValues, Secret, type Value } from "../value";

/** What stands for the content of every secret. */
const MASK = new Secret("[secret]");

function masked(v: Value): Value {
    if (v instanceof Secret) return MASK;
    if (Array.isArray(v)) return v.map(masked);
    return isMap(v) ? mapValues(v, masked) : v;
}
function maskedState(s: StepFacts["now"]): StepFacts["now"] {
    return s && { ...s, inputs: mapValues(s.inputs, masked), outputs: mapValues(s.outputs, masked) };
}

/** Hands on events in which all secrets are alike, so that a comparison cannot tell one from another. */
export function withMaskedSecrets(sink: EventSink): EventSink {
    return (e: EngineEvent) => {
        if (e.kind !== "begin" && e.kind !== "outputs" && e.kind !== "failed") return sink(e);
        sink({ ...e, step: { ...e.step, old: maskedState(e.step.old), now: maskedState(e.step.now) } });
    };
}
