/** Keys and list indexes from the root of an object down to a field. */
export type FieldPath = readonly (string | number)[];

/** Half of a mapping entry that a position refers to. */
export type EntryPart = "key" | "value";

/** `["metadata", "annotations", "a/b", 0]` as `metadata.annotations["a/b"][0]`. */
export function formatPath(path: FieldPath): string {
    let text = "";
    for (const part of path) {
        if (typeof part === "number") text += `[${part}]`;
        else if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(part)) text += text === "" ? part : `.${part}`;
        else text += `[${JSON.stringify(part)}]`;
    }
    return text;
}

/** Returns the value at a path of a plain JSON object; `undefined` if there is none. Skips inherited properties. */
export function valueAt(object: unknown, path: FieldPath): unknown {
    let value = object;
    for (const part of path) {
        if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
        value = (value as Record<string | number, unknown>)[part];
    }
    return value;
}

/** True for an object that is neither a list nor null. */
export const isMapping = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
