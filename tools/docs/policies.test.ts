import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { renderPolicies } from "./policies";

test("docs/policies.md matches the rules (node dist/tools/docs/policies.js)", () => {
    assert.equal(readFileSync("docs/policies.md", "utf8"), renderPolicies());
});
