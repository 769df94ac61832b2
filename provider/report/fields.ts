/** The attributes of an object that change, as text. */

import { type FieldPath, formatPath, isMapping, valueAt } from "../diagnostics";
import type { FieldChange } from "./model";
import { type Resource, type ResourceState, UNKNOWN } from "./step";

/** References to other objects: that an id is new is said where the object is. */
const REFERENCES: ReadonlySet<string> = new Set([
    "loadBalancerId",
    "serverGroupId",
    "listenerId",
    "vpcId",
    "account",
    "backends",
    "reuse",
]);

/** Attributes that change, in the order of the alphabet. None for an object that is new or leaves. */
export function changedFields({ before, after, reasons, change }: Resource): FieldChange[] {
    if (before === undefined || after === undefined || change === "same") return [];
    const names = new Set([...Object.keys(before.inputs), ...Object.keys(after.inputs)]);
    const shown = [...names].filter((name) => !name.startsWith("__") && !REFERENCES.has(name)).sort(byText);
    const changed = shown.flatMap((name) => difference(name, before.inputs, after.inputs));
    return changed.length > 0 ? changed : drift(reasons, before, after);
}

/** What a refresh has found to be different from the inputs, which are as before. */
function drift(reasons: readonly string[], before: ResourceState, after: ResourceState): FieldChange[] {
    return reasons
        .filter((name) => !REFERENCES.has(name))
        .flatMap((name) => difference(name, before.outputs, after.inputs));
}

function difference(
    name: string,
    before: Readonly<Record<string, unknown>>,
    after: Readonly<Record<string, unknown>>,
): FieldChange[] {
    return compare([name], valueAt(before, [name]), valueAt(after, [name]));
}

/** Mappings are compared entry by entry, so that one annotation more is one line; lists as a whole. */
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

/** A value in a line of a report. What the preview does not say is marked as such. */
export function formatValue(value: unknown): string {
    if (value === UNKNOWN) return "(known during the update)";
    if (typeof value === "string") return value;
    return JSON.stringify(value, (key, part: unknown) =>
        key.startsWith("__") ? undefined : part === UNKNOWN ? "(known during the update)" : sorted(part),
    );
}

/** Keys in the order of the alphabet, so that equal objects have equal texts. */
function sorted(value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => byText(a, b)));
}

/** Order of texts that is the same on every machine. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
