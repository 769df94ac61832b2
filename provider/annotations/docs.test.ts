import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { allRows, external } from "./catalogue";
import { renderAnnotations } from "./docs";
import { keyOf, legacyKeyOf } from "./keys";
import { parseCcmVersion } from "../model/version";

test("docs/annotations.md is what the catalogue says (node dist/provider/annotations/docs.js)", () => {
    assert.equal(readFileSync("docs/annotations.md", "utf8"), renderAnnotations());
});

test("every row is complete", () => {
    for (const row of allRows) {
        assert.ok(row.doc.endsWith("."), row.field);
        assert.ok(row.source.includes('"'), row.field);
        assert.ok(row.api !== "" && row.type.allowed !== "", row.field);
        assert.notEqual(parseCcmVersion(row.since), undefined, row.field);
        for (const { value, since } of row.defaults) {
            const text = row.type.print(value);
            assert.ok(text !== undefined, row.field);
            assert.deepEqual(row.type.parse(text, { allowMasked: false }), { value }, row.field);
            if (since !== undefined) assert.notEqual(parseCcmVersion(since), undefined, row.field);
        }
        for (const companion of row.companions ?? [])
            assert.ok(
                allRows.some((other) => other.field === companion.field),
                row.field,
            );
    }
});

test("no two annotations share a key", () => {
    const keys = [...allRows, ...external].flatMap((row) => [keyOf(row), legacyKeyOf(row) ?? []].flat());
    assert.equal(new Set(keys).size, keys.length);
});

test("there are as many rows as the documents have annotations", () => {
    assert.equal(allRows.length, 62);
});
