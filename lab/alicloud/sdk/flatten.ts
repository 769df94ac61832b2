import type { Parameters } from "./signature";

/** Parameter of a call. Nested objects and lists become dotted names. */
export type Argument = string | number | boolean | null | undefined | Argument[] | { [name: string]: Argument };
export type Arguments = { [name: string]: Argument };

/** Dotted names with list positions from 1: `Servers.1.Port`. Nothing and `null` are left out, empty texts are kept. */
export function flattenArguments(values: Arguments): Parameters {
    const result: Parameters = {};
    const add = (name: string, value: Argument): void => {
        if (value === null || value === undefined) return;
        if (Array.isArray(value)) value.forEach((inner, i) => add(`${name}.${i + 1}`, inner));
        else if (typeof value === "object")
            for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
        else result[name] = String(value);
    };
    for (const [name, value] of Object.entries(values)) add(name, value);
    return result;
}

/** JSON with sorted names, as Go writes maps. */
export function sortedJson(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
    if (value !== null && typeof value === "object") {
        const entries = Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1));
        return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${sortedJson(inner)}`).join(",")}}`;
    }
    return JSON.stringify(value ?? null);
}
