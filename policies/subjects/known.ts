/**
 * Values that Pulumi computes only during the update.
 *
 * They never count as compliant: reading an unknown value throws, and the engine reports that the rule cannot run.
 */

/**
 * The placeholders of unknown values in saved previews and in calls of the engine, with the types of the values.
 * Source: the engine's protocol.
 */
const UNKNOWN_TYPES: ReadonlyMap<string, string> = new Map([
    ["04da6b54-80e4-46f7-96ec-b56ff0331ba9", "string"],
    ["1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", "boolean"],
    ["3eeb2bf0-c639-47a8-9e75-3b44932eb421", "number"],
    ["6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", "Array"],
    ["030794c1-ac77-496b-92df-f27374a8bd58", "asset"],
    ["e48ece36-62e2-4504-bad9-02848725956a", "archive"],
    ["dd056dcd-154b-4c76-9bd3-c8f88648b5ff", "Object"],
]);

/** The error of a value that is unknown before the update, in the shape and the words of the policy SDK. */
export class UnknownInputError extends Error {
    readonly unknownTypeSentinel: string;

    constructor(path: readonly string[], sentinel: string) {
        super(`${UNKNOWN_TYPES.get(sentinel) ?? "the"} value at .${path.join(".")} can't be known during preview`);
        this.name = "UnknownInputError";
        this.unknownTypeSentinel = sentinel;
    }
}

/** Reports whether an error is about an unknown value: this package's own or that of the policy SDK. */
export const isUnknownError = (error: unknown): error is Error =>
    error instanceof Error && "unknownTypeSentinel" in error;

export class Unknown {
    constructor(readonly error: Error) {}
}

export type Settled<T> = T | Unknown;

/**
 * Returns a plain copy of properties in which every unknown value is an {@link Unknown}.
 *
 * In place of an unknown value, the engine and saved previews have a placeholder. Properties of the policy SDK throw
 * when it is read.
 */
export function settle(value: unknown, path: readonly string[] = []): unknown {
    if (typeof value === "string")
        return UNKNOWN_TYPES.has(value) ? new Unknown(new UnknownInputError(path, value)) : value;
    if (typeof value !== "object" || value === null || value instanceof Unknown) return value;
    const settled = (key: string): unknown =>
        settledOf(() => settle((value as Record<string, unknown>)[key], [...path, key]));
    if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => settled(String(index)));
    return Object.fromEntries(Object.keys(value).map((key) => [key, settled(key)]));
}

/** Returns a value that is known itself, but whose parts may be unknown. */
export function itself<T>(value: Settled<T>): T {
    if (value instanceof Unknown) throw value.error;
    return value;
}

/** Returns a value that has no unknown parts. @throws the error of the first unknown part. */
export function known<T>(value: Settled<T>): T {
    if (typeof value === "object" && value !== null) Object.values(itself(value)).forEach((part) => void known(part));
    return itself(value);
}

export const isKnown = <T>(value: Settled<T>): value is T => !(value instanceof Unknown);

/** Returns the result of a function, or that it is unknown, for rules that continue with the rest of a stack. */
export function settledOf<T>(ask: () => T): Settled<T> {
    try {
        return ask();
    } catch (error) {
        if (isUnknownError(error)) return new Unknown(error);
        throw error;
    }
}

/** Returns the results of a check of each item. An unknown value of an item hides no other. */
export const settledEach = <Item, Result>(items: readonly Item[], check: (item: Item) => readonly Result[]) =>
    items.flatMap((item): readonly Settled<Result>[] => {
        const found = settledOf(() => check(item));
        return found instanceof Unknown ? [found] : found;
    });

/** Returns an object whose properties are computed when they are first read. An error is thrown at every read. */
export function lazily<T extends object>(work: { readonly [Key in keyof T]: () => T[Key] }): T {
    const object = {} as T;
    for (const key of Object.keys(work) as (keyof T)[]) {
        let done: { readonly value: T[keyof T] } | undefined;
        Object.defineProperty(object, key, { enumerable: true, get: () => (done ??= { value: work[key]() }).value });
    }
    return object;
}
