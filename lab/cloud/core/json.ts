import { Transition } from "./transition";

/** A value that can be sent as JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** JSON object. A key whose value is undefined is not sent. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** A part of the state as {@link toJson} writes it. */
export type Stated<Value> =
    Value extends Transition<infer Status>
        ? Status
        : Value extends Map<string, infer Item>
          ? Readonly<Record<string, Stated<Item>>>
          : Value extends readonly (infer Item)[]
            ? readonly Stated<Item>[]
            : Value extends object
              ? { readonly [Name in keyof Value]: Stated<Value[Name]> }
              : Value;

/** The objects of a product as {@link collections} writes them. */
export type Collections<State> = {
    readonly [Name in keyof State]: State[Name] extends Map<string, infer Item> ? readonly Stated<Item>[] : unknown;
};

/** Any state as JSON in a stable order: a Map becomes an object with sorted keys, a timed status its current value. */
export function toJson(value: unknown): Json {
    if (value instanceof Transition) return value.now();
    if (value instanceof Map) {
        const entries = [...value].map(([key, item]): [string, Json] => [String(key), toJson(item)]);
        return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    if (Array.isArray(value)) return value.map(toJson);
    if (value !== null && typeof value === "object") {
        const entries = Object.entries(value).filter(([, item]) => item !== undefined);
        return Object.fromEntries(entries.map(([key, item]) => [key, toJson(item)]));
    }
    return value as Json;
}

/**
 * Objects of a product: each collection becomes a list sorted by key, a collection of plain texts remains an object.
 */
export function collections(state: object): Json {
    return Object.fromEntries(
        Object.entries(state)
            .filter(([name]) => name !== "pending")
            .map(([name, collection]: [string, unknown]) => {
                if (!(collection instanceof Map)) return [name, toJson(collection)];
                const texts = TEXT_COLLECTIONS.has(name);
                return [name, texts ? toJson(collection) : Object.values(toJson(collection) as Record<string, Json>)];
            }),
    );
}

/** Collections whose values are no objects of the cloud. */
const TEXT_COLLECTIONS: ReadonlySet<string> = new Set(["clientTokens", "health", "publicAddresses"]);
