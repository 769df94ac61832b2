import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { changesOf, mergePatch, parsePath, pathText } from "./diff";
import { forceNewPaths } from "./force-new";
import { equal, isMap, type Json, type JsonMap } from "./properties";

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>("a", "b", 1, true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("x", "y", "z"), tie("value"), { maxKeys: 3 }),
    ),
})).value;
const object = fc.dictionary(fc.constantFrom("x", "y", "z"), json, { maxKeys: 3 });

/** RFC 7386. */
function merged(target: Json, patch: Json): Json {
    if (!isMap(patch)) return patch;
    const result: JsonMap = isMap(target) ? { ...target } : {};
    for (const [name, value] of Object.entries(patch)) {
        if (value === null) delete result[name];
        else result[name] = merged(result[name] ?? null, value);
    }
    return result;
}

test("a merge patch turns one object into the other", () => {
    fc.assert(
        fc.property(object, object, (before, after) => {
            expect(equal(merged(before, mergePatch(before, after)), after)).toBeTruthy();
        }),
    );
});

test("there are changes only where objects differ", () => {
    fc.assert(
        fc.property(object, object, (before, after) => {
            expect(changesOf(before, before, []).size).toBe(0);
            expect(changesOf(before, after, []).size > 0).toBe(!equal(before, after));
        }),
    );
});

test("paths are parsed as they are printed", () => {
    for (const path of [
        ["spec", "ports", 1, "port"],
        ["metadata", "annotations", "a.b/c"],
        ["data", 'x"y'],
    ]) {
        expect(parsePath(pathText(path))).toStrictEqual(path);
    }
});

const service = (clusterIP: string): JsonMap => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { clusterIP, ports: [{ port: 80 }] },
});

test("immutable fields replace, others do not", () => {
    const paths = forceNewPaths({ apiVersion: "v1", kind: "Service" }, { configMaps: false, secrets: false });
    expect(changesOf(service("10.0.0.1"), service("None"), paths).get("spec.clusterIP")?.kind).toBe("UPDATE_REPLACE");
    const desired = { ...service("10.0.0.1"), spec: { clusterIP: "10.0.0.1", ports: [{ port: 81 }] } };
    expect([...changesOf(service("10.0.0.1"), desired, paths)].map(([path, { kind }]) => [path, kind])).toStrictEqual([
        ["spec.ports[0].port", "UPDATE"],
    ]);
    const data = (value: string): JsonMap => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "c" },
        data: { a: value },
    });
    const configMap = { apiVersion: "v1", kind: "ConfigMap" };
    const kinds = (configMaps: boolean): string[] =>
        [...changesOf(data("1"), data("2"), forceNewPaths(configMap, { configMaps, secrets: false })).values()].map(
            ({ kind }) => kind,
        );
    expect([kinds(false), kinds(true)]).toStrictEqual([["UPDATE_REPLACE"], ["UPDATE"]]);
});
