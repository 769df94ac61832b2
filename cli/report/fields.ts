/** Attributes of an object that change, as text. */

import { type FieldPath, formatPath, isMapping, valueAt } from "../../provider/diagnostics";
import { sortedByKey } from "../../provider/schema/defined";
import type { FieldChange } from "./model";
import { type Properties, type Resource, UNKNOWN } from "./step";

/** References to other objects, whose own change is reported. */
const REFERENCES = ["loadBalancerId", "serverGroupId", "listenerId", "vpcId", "account", "backends", "reuse"];

/** Returns the attributes that change, sorted by name; none for an object that is new or leaves. */
export function changedFields({ before, after, reasons, change }: Resource): FieldChange[] {
    if (before === undefined || after === undefined || change === "same") return [];
    const differences = (names: readonly string[], from: Properties): FieldChange[] =>
        names
            .filter((name) => !REFERENCES.includes(name))
            .flatMap((name) => compare([name], valueAt(from, [name]), valueAt(after.inputs, [name])));
    const changed = differences(keysOf(before.inputs, after.inputs), before.inputs);
    // A refresh observed the others, while the inputs are as before.
    return changed.length > 0 ? changed : differences(reasons, before.outputs);
}

/** Returns the keys of two mappings without those of Pulumi, sorted. */
const keysOf = (before: Properties, after: Properties): string[] =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !key.startsWith("__")).sort(byText);

/** Compares mappings by entry, lists as a whole. */
function compare(path: FieldPath, before: unknown, after: unknown): FieldChange[] {
    if (isMapping(before) && isMapping(after))
        return keysOf(before, after).flatMap((key) =>
            compare([...path, key], valueAt(before, [key]), valueAt(after, [key])),
        );
    const [was, is] = [before, after].map((value) => (value === undefined ? null : formatValue(value)));
    return was === is ? [] : [{ field: formatPath(path), before: was ?? null, after: is ?? null }];
}

const LATER = "(known during the update)";

function formatValue(value: unknown): string {
    if (value === UNKNOWN) return LATER;
    if (typeof value === "string") return value;
    return JSON.stringify(value, (key, part: unknown) =>
        key.startsWith("__") ? undefined : part === UNKNOWN ? LATER : isMapping(part) ? sortedByKey(part) : part,
    );
}

/** Compares texts independently of the locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
