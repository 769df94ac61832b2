import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { renderPolicies } from "./policies";

test("docs/policies.md matches the rules (node dist/tools/docs/policies.js)", () => {
    expect(readFileSync("docs/policies.md", "utf8")).toBe(renderPolicies());
});
