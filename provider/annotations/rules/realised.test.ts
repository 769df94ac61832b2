import assert from "node:assert/strict";
import { test } from "node:test";
import { allRows } from "../catalogue";
import type { SettingName } from "../settings";
import { applyRules } from ".";

const refused = (field: SettingName): boolean =>
    applyRules({ settings: {}, attempted: new Set([field]), facts: { clusterId: "c" }, ports: [], externalTrafficPolicy: "Cluster", protocols: [] }).some(
        ({ code, severity, at, remedy }) => code === "annotation-not-realised" && severity === "error" && at === field && remedy !== "",
    );

for (const row of allRows) {
    test(`${row.suffix}: ${row.realised ? "is not refused as such" : "is refused by name, with a remedy"}`, () => assert.equal(refused(row.field), !row.realised));
}

test("what this version does not realise belongs to NLB", () => {
    assert.deepEqual(
        allRows
            .filter((row) => !row.realised)
            .map((row) => row.field)
            .sort(),
        ["serverGroupType"],
    );
});
