/** Attributes of an object that change, as text. */

import { type FieldPath, formatPath, isMapping, valueAt } from "../../provider/diagnostics";
import type { FieldChange } from "./model";
import { type Properties, type Resource, type ResourceState, UNKNOWN } from "./step";

/** References to other objects, whose own change is reported. */
const REFERENCES: ReadonlySet<string> = new Set([
    "loadBalancerId",
    "serverGroupId",
    "listenerId",
    "vpcId",
    "account",
    "backends",
    "reuse",
]);

/** Returns the attributes that change, sorted by name; none for an object that is new or leaves. */
export function changedFields({ before, after, reasons, change }: Resource): FieldChange[] {
    if (before === undefined || after === undefined || change === "same") return [];
    const names = new Set([...Object.keys(before.inputs), ...Object.keys(after.inputs)]);
    const shown = [...names].filter((name) => !name.startsWith("__") && !REFERENCES.has(name)).sort(byText);
    const changed = shown.flatMap((name) => difference(name, before.inputs, after.inputs));
    return changed.length > 0 ? changed : drift(reasons, before, after);
}

/** Returns the differences that a refresh observed, while the inputs are as before. */
function drift(reasons: readonly string[], before: ResourceState, after: ResourceState): FieldChange[] {
    return reasons
        .filter((name) => !REFERENCES.has(name))
        .flatMap((name) => difference(name, before.outputs, after.inputs));
}

const difference = (name: string, before: Properties, after: Properties): FieldChange[] =>
    compare([name], valueAt(before, [name]), valueAt(after, [name]));

/** Compares mappings by entry, lists as a whole. */
function compare(path: FieldPath, before: unknown, after: unknown): FieldChange[] {
    if (isMapping(before) && isMapping(after)) {
        const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(byText);
        return keys
            .filter((key) => !key.startsWith("__"))
            .flatMap((key) => compare([...path, key], valueAt(before, [key]), valueAt(after, [key])));
    }
    const [was, is] = [before, after].map((value) => (value === undefined ? null : formatValue(value)));
    return was === is ? [] : [{ field: formatPath(path), before: was ?? null, after: is ?? null }];
}

function formatValue(value: unknown): string {
    if (value === UNKNOWN) return "(known during the update)";
    if (typeof value === "string") return value;
    return JSON.stringify(value, (key, part: unknown) =>
        key.startsWith("__") ? undefined : part === UNKNOWN ? "(known during the update)" : sorted(part),
    );
}

function sorted(value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => byText(a, b)));
}

/** Compares texts independently of the locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
