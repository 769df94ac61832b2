/** Values that nobody means to write, and ways to put them into what somebody does mean. */
import * as fc from "fast-check";

/** Names that every object of JavaScript has, or that lead to what all objects share. */
const INHERITED = ["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty"] as const;

/** Texts that readers of numbers, times, addresses and lists trip over. */
const TEXTS = [
    ...["", " ", "0", "-0", "-1", "1e9", "NaN", "0x10", "99999999999999999999", "1.5", "on", "off", "true", "null"],
    ...[
        "lb-1",
        "nlb-1",
        "tcp:80",
        "http:443,https:443",
        "tcp:80,tcp:80",
        "80:8080",
        "cn-hangzhou-a:vsw-1",
        "a=b,c",
        "10.0.0.0/8",
    ],
    ...["::/0", "[", "{}", "\u0000", "ü🙂", "${x}", "{{ .Values.id }}", "a".repeat(300), ...INHERITED],
] as const;

/** An object that cannot become a text by itself. */
const TEXTLESS = { toString: 1, valueOf: null };

/** Any value that JSON or YAML can hold. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...TEXTS) },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, [], {}, [null], [[]], [{}], TEXTLESS, [TEXTLESS]),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(...INHERITED).map((name) => JSON.parse(`{"${name}": {"polluted": true}}`) as unknown),
);

/** A text as somebody might write it into a field. */
export const oddText: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 30 }));

/** Position in an object at which something is replaced: the number of a member at each level. */
const place = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 });

/** The object with some of its members, at any depth, replaced by odd values, renamed or left out. */
export function damaged(object: unknown): fc.Arbitrary<unknown> {
    const change = fc.record({ at: place, by: fc.option(oddValue, { nil: REMOVED, freq: 4 }) });
    return fc
        .array(change, { minLength: 1, maxLength: 4 })
        .map((changes) => changes.reduce<unknown>((whole, { at, by }) => replaced(whole, at, by), object));
}

/** In place of a value: the member is left out. */
const REMOVED = Symbol("removed");

function replaced(object: unknown, [first, ...rest]: readonly number[], by: unknown): unknown {
    if (first === undefined || typeof object !== "object" || object === null) return by === REMOVED ? null : by;
    const keys = Object.keys(object);
    const key = keys[first % Math.max(keys.length, 1)];
    if (key === undefined) return by === REMOVED ? object : by;
    if (rest.length === 0 && by === REMOVED)
        return Array.isArray(object)
            ? object.filter((_, index) => String(index) !== key)
            : Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
    const member = replaced((object as Record<string, unknown>)[key], rest, by);
    return Array.isArray(object)
        ? object.map((value: unknown, index) => (String(index) === key ? member : value))
        : { ...object, [key]: member };
}

/** The text with some of its parts taken out, doubled or replaced. */
export function damagedText(text: string): fc.Arbitrary<string> {
    const edit = fc.record({
        from: fc.nat({ max: Math.max(text.length, 1) }),
        length: fc.nat({ max: 40 }),
        by: fc.oneof(
            oddText,
            fc.constantFrom("\t", "\n", "- ", ": ", "&a ", "*a", "!!binary ", "|\n", "---\n", "<<: *a\n"),
        ),
    });
    return fc
        .array(edit, { minLength: 1, maxLength: 4 })
        .map((edits) =>
            edits.reduce((whole, { from, length, by }) => whole.slice(0, from) + by + whole.slice(from + length), text),
        );
}
