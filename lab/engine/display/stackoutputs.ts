import type { StepFacts } from "../events";
import { ROOT_STACK_TYPE, urnQualifiedType } from "../state";
import { deepEquals, OutputValue, Secret, Unknown, type ValueDiff, type ValueMap } from "../value";
import { widest } from "./layout";
import { PropertyPrinter } from "./properties";
import { isInternalKey, visibleDiff, worthPrinting } from "./visible";

/** Where outputs of a step are shown. */
export interface OutputStyle {
    indent: number;
    planning: boolean;
    refresh: boolean;
    showSames: boolean;
    showSecrets: boolean;
}

/** False where a preview cannot tell whether an output will really change, and where the change is not to be seen. */
function isCertain(d: ValueDiff): boolean {
    if (d.array || d.object) return true;
    return [d.old, d.new].every((v) => !(v instanceof Secret || v instanceof Unknown || v instanceof OutputValue));
}

/** Outputs of a step that differ from its inputs or, if it has been there before, from the old outputs. */
export function outputsText(s: StepFacts, o: OutputStyle): string {
    const root = urnQualifiedType(s.urn) === ROOT_STACK_TYPE;
    const showSames = o.showSames || (!o.planning && root);
    if (
        o.planning &&
        !o.refresh &&
        !root &&
        !["read", "read-replacement", "import", "import-replacement"].includes(s.op)
    )
        return "";
    if (s.old && s.old.initErrors.length > 0) return "";
    // The outputs of a stack end with it; a deleted resource has its outputs listed as gone.
    if (root && !s.now) return "";
    const inputs: ValueMap = s.now?.inputs ?? {};
    const outputs: ValueMap = s.now?.outputs ?? {};
    const diff = s.old ? visibleDiff(s.old.outputs, outputs) : undefined;
    if (s.old && !diff && !showSames) return "";
    const keys = diff
        ? [
              ...new Set([...diff.adds.keys(), ...diff.deletes.keys(), ...diff.sames.keys(), ...diff.updates.keys()]),
          ].sort()
        : Object.keys(outputs).sort();
    const width = widest(keys);
    const p = PropertyPrinter.create({ indent: o.indent, op: s.op, planning: o.planning, showSecrets: o.showSecrets });
    for (const k of keys) {
        const out = outputs[k];
        if (!diff && (isInternalKey(k) || !worthPrinting(out, true))) continue;
        if (k in inputs && !o.refresh && deepEquals(out, inputs[k])) continue;
        if (diff) {
            const update = diff.updates.get(k);
            if (update && o.planning && root && !isCertain(update)) continue;
            const changed = diff.adds.has(k) || diff.deletes.has(k) || update !== undefined;
            if (changed || showSames) p.propertyDiff(k, width, diff);
        } else if (out !== undefined) p.property(k, out, width);
    }
    return p.text;
}
