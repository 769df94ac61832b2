import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { anyRowOf, external, rowsOf, settingNames } from "../../provider/service/annotations/catalogue";
import { LOAD_BALANCER_TYPES } from "../../provider/schema/load-balancer-type";
import { renderAnnotations } from "./annotations";
import { keyOf, legacyKeyOf } from "../../provider/service/annotations/keys";
import { parseCcmVersion } from "../../provider/schema/versions";
import { found } from "../../test/support/found";

test("docs/annotations.md matches the catalogue (node dist/tools/docs/annotations.js)", () => {
    expect(readFileSync("docs/annotations.md", "utf8")).toBe(renderAnnotations());
});

test("every row is complete", () => {
    for (const row of LOAD_BALANCER_TYPES.flatMap(rowsOf)) {
        expect([row.field, row.doc.endsWith(".")]).toStrictEqual([row.field, true]);
        expect(row.source).toContain('"');
        expect([row.field, row.api !== "" && row.type.allowed !== ""]).toStrictEqual([row.field, true]);
        expect([row.field, parseCcmVersion(row.since)]).not.toStrictEqual([row.field, undefined]);
        for (const { value, since } of row.defaults) {
            const text = found(row.type.print(value), row.field);
            expect([row.field, row.type.parse(text)]).toStrictEqual([row.field, { value }]);
            if (since !== undefined)
                expect([row.field, parseCcmVersion(since)]).not.toStrictEqual([row.field, undefined]);
        }
        for (const companion of row.companions ?? []) expect(settingNames).toContain(companion.field);
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
    expect([rowsOf("clb").length, rowsOf("nlb").length]).toStrictEqual([68, 57]);
});
