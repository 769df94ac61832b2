/** Differences between what is desired and what is observed. */
import { type AdoptionVerdict, type Difference, difference } from "./adoption";
import { isDeepStrictEqual } from "node:util";
import type { Backends } from "../schema/backend";

/** Attributes of one object, in whatever words both sides share. */
export type Attributes = Readonly<Record<string, unknown>>;

/**
 * Returns the differences between an object and its desired attributes. Other attributes are ignored; numbers and
 * texts that read the same are equal; lists and maps are reported whole.
 *
 * @param verdict what becomes of a difference of this object.
 */
export function compareAttributes(
    object: string,
    desired: Attributes,
    actual: Attributes,
    verdict: AdoptionVerdict = "differs",
): Difference[] {
    return Object.entries(desired).flatMap(([setting, value]) =>
        value === undefined || isDeepStrictEqual(comparable(value), comparable(actual[setting]))
            ? []
            : [
                  difference({
                      verdict,
                      object,
                      attribute: setting,
                      observed: shown(actual[setting]),
                      desired: shown(value),
                  }),
              ],
    );
}

/** Members of a group that are not as the cluster says, one line for each. */
export function compareBackends(
    object: string,
    desired: Backends,
    actual: Backends,
    ignoreWeights: boolean,
): Difference[] {
    const keys = [...new Set([...Object.keys(desired), ...Object.keys(actual)])].sort();
    return keys.flatMap((key) => {
        const [after, before] = [desired[key], actual[key]];
        const same = after !== undefined && before !== undefined && (ignoreWeights || after.weight === before.weight);
        return same
            ? []
            : [
                  difference({
                      verdict: "differs",
                      object,
                      attribute: `backend ${key}`,
                      observed: weightOf(before),
                      desired: weightOf(after),
                  }),
              ];
    });
}

function weightOf(backend: { readonly weight: number } | undefined): string {
    return backend === undefined ? "-" : `weight ${backend.weight}`;
}

function comparable(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(String).sort();
    }
    if (typeof value === "object" && value !== null) {
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, comparable(part)]));
    }
    return value === undefined || value === null ? "" : String(value);
}

function shown(value: unknown): string {
    if (value === undefined || value === null || value === "") {
        return "-";
    }
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}
