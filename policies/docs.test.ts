import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { renderPolicies } from "./docs";

test("docs/policies.md is what the rules say (node dist/policies/docs.js)", () => {
    expect(readFileSync("docs/policies.md", "utf8")).toBe(renderPolicies());
});
