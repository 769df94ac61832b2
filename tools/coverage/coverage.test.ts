import { expect, test } from "@jest/globals";
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { renderCoverage } from "./render";
import { problems, readTable, type Row } from "./table";
import { hasTest } from "./titles";

const rows = readTable("docs/coverage.json");

test("docs/coverage.md matches docs/coverage.json (node dist/tools/coverage/main.js)", () => {
    expect(fs.readFileSync("docs/coverage.md", "utf8")).toBe(renderCoverage(rows));
});

test("every row is there, and every file and test that it names", () => {
    expect(problems(rows, ".")).toStrictEqual([]);
});

test("a title is found as it is printed, with the parts that a table of cases fills in", () => {
    const here = "tools/coverage/coverage.test.ts";
    expect(hasTest(here, "every row is there, and every file and test that it names")).toBe(true);
    expect(hasTest(here, "every row is there")).toBe(false);
    expect(hasTest(here, "a row that cannot be believed: no test, because it needs a file and a test")).toBe(true);
    expect(hasTest(here, "a row that cannot be believed: no such case, because it needs a file and a test")).toBe(
        false,
    );
});

const GOOD: Row = {
    id: "A01",
    requirement: "x",
    status: "supported",
    where: ["README.md"],
    tests: ["tools/coverage/coverage.test.ts › every row is there, and every file and test that it names"],
};

const BAD: readonly [string, string, Partial<Row>][] = [
    ["no test", "it needs a file and a test", { tests: [] }],
    ["no file", "it needs a file and a test", { where: [] }],
    ["a file that is not there", "there is no such file", { where: ["nowhere.md"] }],
    ["a test that is not there", "its file has no such test", { tests: ["tools/coverage/coverage.test.ts › nothing"] }],
    ["a test file that is not there", "there is no such file", { tests: ["bench/nowhere.test.ts › nothing"] }],
    ["a gap without a remark", "it has to say what is missing", { status: "not yet" }],
    ["words without a document", "it has to name one", { status: "documentation", where: ["Makefile"] }],
    ["another status", "there is none of that name", { status: "perhaps" as Row["status"] }],
];

for (const [what, why, change] of BAD) {
    test(`a row that cannot be believed: ${what}, because ${why}`, () => {
        const [first, ...rest] = rows;
        assert.ok(first);
        expect(problems([GOOD, ...rest], ".")).toStrictEqual([]);
        expect(problems([{ ...GOOD, ...change }, ...rest], ".")).toHaveLength(1);
    });
}

test("a row that is missing is noticed", () => {
    expect(problems(rows.slice(1), ".")[0] ?? "").toMatch(/^rows missing, unknown or out of order: A01/);
});
