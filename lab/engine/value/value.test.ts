import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
    changedKeys,
    containsSecret,
    copyValue,
    deepEquals,
    detailedDiffOf,
    diffMaps,
    formatPath,
    getPath,
    parsePath,
    pathContains,
    resetPath,
    Secret,
    UNKNOWN,
    unwrapSecrets,
    type Value,
    type ValueMap,
} from ".";

/** A backslash before a quote cannot be written in a path. */
const key = fc.string({ maxLength: 4 }).filter((k) => !k.includes("\\"));
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const { value } = fc.letrec<{ value: Value; map: ValueMap }>((tie) => ({
    value: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        tie("map"),
        leaf.map((v) => new Secret(v)),
    ),
    map: fc.dictionary(key, tie("value"), { maxKeys: 4 }).map((m) => ({ ...m })),
}));
const map = fc.dictionary(key, value, { maxKeys: 4 }).map((m): ValueMap => ({ ...m }));
const path = fc.array(
    fc.oneof(
        key.filter((k) => k !== "*"),
        fc.nat(20),
    ),
    { minLength: 1, maxLength: 4 },
);

test("a value equals its copy and differs from nothing else by accident", () => {
    fc.assert(fc.property(value, (v) => deepEquals(v, copyValue(v))));
    fc.assert(fc.property(map, map, (a, b) => deepEquals(a, b) === (diffMaps(a, b) === undefined)));
    fc.assert(fc.property(map, map, (a, b) => deepEquals(a, b) === deepEquals(b, a)));
});

test("a difference names exactly the keys that differ", () => {
    fc.assert(
        fc.property(map, map, (a, b) => {
            const d = diffMaps(a, b);
            const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])]
                .filter((k) => !deepEquals(a[k] ?? null, b[k] ?? null))
                .sort();
            expect(d ? changedKeys(d) : []).toStrictEqual(keys);
            const roots = new Set([...detailedDiffOf(d, true).keys()].map((p) => String(parsePath(p)[0])));
            expect([...roots].sort()).toStrictEqual(keys);
        }),
    );
});

test("null counts as absent", () => {
    expect(diffMaps({ a: null }, {})).toBeUndefined();
    expect([...(diffMaps({ a: null }, { a: 1 })?.adds.keys() ?? [])]).toStrictEqual(["a"]);
    expect([...(diffMaps({ a: 1 }, { a: null })?.deletes.keys() ?? [])]).toStrictEqual(["a"]);
});

test("unknowns differ from everything known", () => {
    expect(diffMaps({ a: 1 }, { a: UNKNOWN })).toBeTruthy();
});

test("unwrapping leaves no secret behind", () => {
    fc.assert(fc.property(value, (v) => !containsSecret(unwrapSecrets(v))));
});

test("paths survive being written and read", () => {
    fc.assert(fc.property(path, (p) => expect(parsePath(formatPath(p))).toStrictEqual(p)));
    expect(parsePath(`a.b[0]["c.d"]`)).toStrictEqual(["a", "b", 0, "c.d"]);
    expect(() => parsePath("a[")).toThrow();
});

test("a path contains itself and everything below; a star stands for any element", () => {
    expect(pathContains(parsePath("a"), parsePath("a.b"))).toBeTruthy();
    expect(pathContains(parsePath("a[*].b"), parsePath("a[3].b"))).toBeTruthy();
    expect(pathContains(parsePath("a.b"), parsePath("a"))).toBeFalsy();
});

test("resetting a path brings back the old value there and nothing else", () => {
    const old: ValueMap = { a: { b: 1, c: 2 }, l: [1, 2] };
    const now: ValueMap = { a: { b: 9, c: 8 }, l: [7, 6] };
    expect(resetPath(parsePath("a.b"), old, now)).toStrictEqual({
        value: { a: { b: 1, c: 8 }, l: [7, 6] },
        complete: true,
    });
    expect(now).toStrictEqual({ a: { b: 9, c: 8 }, l: [7, 6] });
    expect(getPath(parsePath("l[1]"), old)).toBe(2);
});

test("in lists of other lengths the elements that both have are reset, and the rest is reported", () => {
    const reset = (path: string) => resetPath(parsePath(path), { l: [1, 2] }, { l: [7, 8, 9] });
    expect(reset("l[*]")).toStrictEqual({ value: { l: [1, 2, 9] }, complete: false });
    expect(reset("l")).toStrictEqual({ value: { l: [1, 2] }, complete: true });
    expect(reset("l[2]").complete).toBe(false);
    expect(reset("l[3]").complete).toBe(true);
});

test("what is reset out of a secret stays secret", () => {
    const old = { m: new Secret({ a: "x" }) };
    const reset = (now: ValueMap) => resetPath(parsePath("m.a"), old, now).value;
    expect(reset({ m: { a: "y" } })).toStrictEqual({ m: { a: new Secret("x") } });
    expect(reset({ m: new Secret({ a: "y" }) })).toStrictEqual(old);
});
