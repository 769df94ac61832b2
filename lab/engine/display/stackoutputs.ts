import type { StepFacts } from "../events";
import { ROOT_STACK_TYPE, urnQualifiedType } from "../state";
import {
    deepEquals,
    diffValues,
    isObject,
    mapValues,
    Unknown,
    type ObjectDiff,
    type Value,
    type ValueDiff,
    type ValueMap,
} from "../value";
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
    truncate: boolean;
}

/** Mark of a resource among the outputs of a stack, which the SDK sets in previews. */
const RESOURCE_MARK = "@isPulumiResource";

/** Takes out of a comparison of stack outputs what a preview cannot tell, and the marks of resources. */
function withoutUncertain(d: ObjectDiff): void {
    const isResource = d.adds.delete(RESOURCE_MARK);
    for (const [k, v] of d.adds) {
        if (isResource && v instanceof Unknown) d.adds.delete(k);
        else d.adds.set(k, withoutMarks(v));
    }
    for (const [k, u] of d.updates) {
        withoutUncertainParts(u);
        if (u.new instanceof Unknown || deepEquals(u.old, u.new)) d.updates.delete(k);
    }
}
function withoutUncertainParts(u: ValueDiff): void {
    if (u.object) withoutUncertain(u.object);
    for (const [i, v] of u.array?.adds ?? []) u.array?.adds.set(i, withoutMarks(v));
    for (const e of u.array?.updates.values() ?? []) withoutUncertainParts(e);
}
function withoutMarks(v: Value): Value {
    if (Array.isArray(v)) return v.map(withoutMarks);
    if (!isObject(v)) return v;
    return mapValues(Object.fromEntries(Object.entries(v).filter(([k]) => k !== RESOURCE_MARK)), withoutMarks);
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
    const hide = (s.now ?? s.old)?.hideDiff ?? [];
    const { diff, hidden } = s.old ? visibleDiff(s.old.outputs, outputs, hide) : { diff: undefined, hidden: [] };
    if (diff && o.planning && root) withoutUncertain(diff);
    if (s.old && !diff && !showSames) return "";
    const keys = diff
        ? [
              ...new Set([...diff.adds.keys(), ...diff.deletes.keys(), ...diff.sames.keys(), ...diff.updates.keys()]),
          ].sort()
        : Object.keys(outputs).sort();
    const width = widest(keys);
    const { indent, planning, showSecrets, truncate } = o;
    const p = PropertyPrinter.create({ indent, op: s.op, planning, showSecrets, truncate });
    p.hiddenPaths(hidden);
    for (const k of keys) {
        const out = outputs[k];
        if (!diff && (isInternalKey(k) || !worthPrinting(out, true))) continue;
        if (k in inputs && !o.refresh && !diffValues(out ?? null, inputs[k] as Value, isInternalKey)) continue;
        if (diff) {
            const changed = diff.adds.has(k) || diff.deletes.has(k) || diff.updates.has(k);
            if (changed || showSames) p.propertyDiff(k, width, diff);
        } else if (out !== undefined) p.property(k, out, width);
    }
    return p.text;
}
