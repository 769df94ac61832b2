type Optional<Fields> = { [Name in keyof Fields]: undefined extends Fields[Name] ? Name : never }[keyof Fields];

/** Fields of an object, without those that are undefined. */
export type Defined<Fields> = Omit<Fields, Optional<Fields>> & {
    [Name in Optional<Fields>]?: Exclude<Fields[Name], undefined>;
};

/** Returns the fields that are not undefined: states, API requests and spreads distinguish undefined from absent. */
export const defined = <const Fields extends object>(fields: Fields): Defined<Fields> =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

/** Compares texts independently of the locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the fields of a record that are kept. */
export const filtered = <Value>(
    record: Readonly<Record<string, Value>>,
    keeps: (key: string, value: Value) => boolean,
): Record<string, Value> => Object.fromEntries(Object.entries(record).filter(([key, value]) => keeps(key, value)));

/** Returns a copy with its keys in order: equal records have equal text. */
export const sortedByKey = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Returns a list or a record, or undefined if it is empty. */
export const unlessEmpty = <Value extends object>(value: Value): Value | undefined =>
    Object.keys(value).length === 0 ? undefined : value;

/** Map or WeakMap. */
interface Known<Key, Value> {
    get(key: Key): Value | undefined;
    set(key: Key, value: Value): unknown;
}

/** Returns the value of a key, which is made once. */
export function once<Key, Value>(known: Known<Key, Value>, key: Key, make: () => Value): Value {
    const value = known.get(key) ?? make();
    known.set(key, value);
    return value;
}

/** Returns undefined instead of any error. */
export function unlessThrown<Value>(make: () => Value): Value | undefined {
    try {
        return make();
    } catch {
        return undefined;
    }
}

/** Waits for an answer, which is undefined if it fails with an expected error. */
export const ignoring = <Answer>(isExpected: (error: unknown) => boolean, answer: Promise<Answer>) =>
    answer.catch((error: unknown) => {
        if (isExpected(error)) return undefined;
        throw error;
    });

/** Returns the common value, or undefined if there is none or they differ. */
export function agreed<Value>(values: readonly Value[]): Value | undefined {
    const [first, ...others] = new Set(values);
    return others.length === 0 ? first : undefined;
}

/** True for an object that is neither a list nor null. */
export const isMapping = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
