import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { anyRowOf, external, rowsOf, settingNames } from "../../provider/service/annotations/catalogue";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { renderAnnotations } from "./annotations";
import { keyOf, legacyKeyOf } from "../../provider/service/annotations/keys";
import { parseCcmVersion } from "../../provider/schema/versions";

test("docs/annotations.md matches the catalogue (node dist/tools/docs/annotations.js)", () => {
    expect(readFileSync("docs/annotations.md", "utf8")).toBe(renderAnnotations());
});

test("every row is complete", () => {
    for (const row of LOAD_BALANCER_TYPES.flatMap(rowsOf)) {
        assert.ok(row.doc.endsWith("."), row.field);
        assert.ok(row.source.includes('"'), row.field);
        assert.ok(row.api !== "" && row.type.allowed !== "", row.field);
        assert.notEqual(parseCcmVersion(row.since), undefined, row.field);
        for (const { value, since } of row.defaults) {
            const text = row.type.print(value);
            assert.ok(text !== undefined, row.field);
            assert.deepEqual(row.type.parse(text), { value }, row.field);
            if (since !== undefined) assert.notEqual(parseCcmVersion(since), undefined, row.field);
        }
        for (const companion of row.companions ?? []) assert.ok(settingNames.includes(companion.field), row.field);
    }
});

test("no two annotations share a key", () => {
    const keys = [
        ...settingNames.map(anyRowOf),
        ...external.filter(({ suffix }) => !settingNames.some((field) => anyRowOf(field).suffix === suffix)),
    ].flatMap((row) => [keyOf(row), legacyKeyOf(row) ?? []].flat());
    expect(new Set(keys).size).toBe(keys.length);
});

test("there is a row for each documented annotation", () => {
    // Of the documents of CLB and NLB, and what only the source of the Cloud Controller Manager has.
    expect([rowsOf("clb").length, rowsOf("nlb").length]).toStrictEqual([67, 55]);
});
