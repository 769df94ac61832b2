import type { JsonObject } from "./json";
import type { Params } from "./params";

/** Returns a page of a list by `PageNumber` and `PageSize`, with the counters that go into the answer. */
export function numberedPage<T>(p: Params, all: readonly T[], defaultSize = 10): { rows: T[]; counters: JsonObject } {
    const number = p.int("PageNumber") ?? 1;
    const size = p.int("PageSize") ?? defaultSize;
    return {
        rows: all.slice((number - 1) * size, number * size),
        counters: { TotalCount: all.length, PageNumber: number, PageSize: size },
    };
}

/** Returns a page of a list by `MaxResults` and `NextToken`. The token is the position of the next row. */
export function tokenPage<T>(p: Params, all: readonly T[], defaultSize: number): { rows: T[]; counters: JsonObject } {
    const size = p.int("MaxResults") ?? defaultSize;
    const from = Number(p.text("NextToken") ?? 0);
    const next = from + size < all.length ? String(from + size) : "";
    return {
        rows: all.slice(from, from + size),
        counters: { TotalCount: all.length, MaxResults: size, NextToken: next },
    };
}

/**
 * Reports whether a resource has all the tags of `Tag.N.Key` and `Tag.N.Value`. A filter without a value matches any
 * value.
 */
export function hasTags(p: Params, tags: ReadonlyMap<string, string>): boolean {
    return p.structs("Tag").every((filter) => {
        const key = filter.text("Key") ?? "";
        const value = filter.text("Value");
        return tags.has(key) && (value === undefined || tags.get(key) === value);
    });
}
