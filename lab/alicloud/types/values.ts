/** Reading answers the way the real plugin does. */
import type { Answer } from "../sdk/tea";
import { placed } from "../sdk/errors";
import type { Value } from "../terraform/value";

/** A value as Go prints it. */
export function goText(value: unknown): string {
    if (value === null || value === undefined) return "<nil>";
    if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
    if (typeof value === "object") {
        const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
        return `map[${entries.map(([name, inner]) => `${name}:${goText(inner)}`).join(" ")}]`;
    }
    return String(value);
}

/** A value as Go prints it for a text verb: what is no text is marked. */
export function goTextVerb(value: unknown): string {
    if (value === null || value === undefined) return "%!s(<nil>)";
    if (typeof value === "boolean") return `%!s(bool=${value})`;
    if (Array.isArray(value)) return `[${value.map(goTextVerb).join(" ")}]`;
    if (typeof value === "object") {
        const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
        return `map[${entries.map(([name, inner]) => `${name}:${goTextVerb(inner)}`).join(" ")}]`;
    }
    return String(value);
}

/** Returns a text field of a typed answer, empty if it is missing. */
export const textOf = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

/** Returns a number field of a typed answer, 0 if it is missing. */
export const numberOf = (value: unknown): number =>
    value === null || value === undefined || value === "" ? 0 : Number(value);

/** A member of an answer, as an attribute value. */
export const valueOf = (value: unknown): Value => value as Value;

export const objectOf = (value: unknown): Answer =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Answer) : {};

export const listOf = (value: unknown): Answer[] => (Array.isArray(value) ? (value as Answer[]) : []);

/** Returns a required member at a `path` such as `$.Rules.Rule`. A missing member throws and names `subject`. */
export function need(answer: Answer, path: string, place: string, subject: string): unknown {
    let current: unknown = answer;
    for (const key of path.replace("[*]", "").split(".").slice(1)) {
        if (current === null || typeof current !== "object" || !(key in current)) {
            throw placed(
                new Error(`unknown key ${key}`),
                place,
                `Getting resource ${subject} attribute by path ${path} failed!!! Response: ${goText(answer)}.`,
            );
        }
        current = (current as Answer)[key];
    }
    return current;
}

/** Splits an id into a known number of parts. */
export function idParts(id: string, count: number): string[] {
    const parts = id.split(":");
    if (parts.length !== count)
        throw placed(
            new Error(`Invalid Resource Id ${id}. Expected parts' length ${count}, got ${parts.length}`),
            "common.go:965",
        );
    return parts;
}
