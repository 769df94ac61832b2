/** Values that a preview cannot know yet. They are never taken for good ones: who touches one gives up, and the engine says so. */

/** The texts by which an engine stands for values that are not known yet, as they come in saved previews: one for each kind of value. Source: the engine's protocol. */
const UNKNOWN_TEXTS: ReadonlySet<string> = new Set([
    "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** Says that a value is not known before the update. Same shape as the error of the policy SDK, which cannot be loaded where no pack runs. */
export class UnknownInputError extends Error {
    readonly unknownTypeSentinel: string;

    constructor(path: readonly string[], sentinel: string) {
        super(`the value at .${path.join(".")} can't be known during preview`);
        this.name = "UnknownInputError";
        this.unknownTypeSentinel = sentinel;
    }
}

/** Whether an error says that a value is not known yet, whoever threw it. */
export const isUnknownError = (error: unknown): error is Error =>
    error instanceof Error && "unknownTypeSentinel" in error;

/** Stands for a value that is not known yet. */
export class Unknown {
    constructor(readonly error: Error) {}
}

/** A value, or that it is not known yet. */
export type Settled<T> = T | Unknown;

/**
 * A plain copy of properties in which whatever is not known yet stands as an {@link Unknown}.
 *
 * The policy SDK hands out properties that throw when an unknown value is touched; saved previews have a text in its place. Both are understood.
 */
export function settle(value: unknown, path: readonly string[] = []): unknown {
    if (typeof value === "string")
        return UNKNOWN_TEXTS.has(value) ? new Unknown(new UnknownInputError(path, value)) : value;
    if (typeof value !== "object" || value === null || value instanceof Unknown) return value;
    const settled = (key: string): unknown => {
        try {
            return settle((value as Record<string, unknown>)[key], [...path, key]);
        } catch (error) {
            if (isUnknownError(error)) return new Unknown(error);
            throw error;
        }
    };
    if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => settled(String(index)));
    return Object.fromEntries(Object.keys(value).map((key) => [key, settled(key)]));
}

/**
 * A value of which everything is known.
 *
 * @throws the error of the first unknown part.
 */
export function known<T>(value: Settled<T>): T {
    if (value instanceof Unknown) throw value.error;
    if (typeof value === "object" && value !== null)
        Object.values(value).forEach((part) => void known(part as unknown));
    return value;
}

/** Whether a value is known. */
export const isKnown = <T>(value: Settled<T>): value is T => !(value instanceof Unknown);

/** What a question is answered with, or that the answer is not known yet: for rules that have to go on with the other resources of a stack. */
export function settledOf<T>(ask: () => T): Settled<T> {
    try {
        return ask();
    } catch (error) {
        if (isUnknownError(error)) return new Unknown(error);
        throw error;
    }
}

/** A value that is worked out when somebody asks, once; an error is thrown to everybody who asks. */
export function lazily<T>(work: () => T): () => T {
    let done: { readonly value: T } | undefined;
    return () => (done ??= { value: work() }).value;
}
