import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { mentioned } from "./mentions";
import { renderCoverage } from "./render";
import { mentionProblems, problems, readTable, type Row, rowProblems } from "./table";
import { hasTest } from "./titles";

const rows = readTable("docs/internal/coverage.json");

test("the page has every requirement once", () => {
    const page = renderCoverage(rows);
    for (const { id } of rows) expect(page.split("\n").filter((line) => line.startsWith(`| ${id} `))).toHaveLength(1);
});

test("every row exists, with every file and test that it names", () => {
    expect(problems(rows, ".")).toStrictEqual([]);
});

test("a title is found as printed, with the values of a table of cases", () => {
    const here = "tools/coverage/coverage.test.ts";
    expect(hasTest(here, "every row exists, with every file and test that it names")).toBe(true);
    expect(hasTest(here, "every row exists")).toBe(false);
    expect(hasTest(here, "an invalid row: no test, because it needs a file and a test")).toBe(true);
    expect(hasTest(here, "an invalid row: no such case, because it needs a file and a test")).toBe(false);
});

const GOOD: Row = {
    id: "A01",
    requirement: "x",
    status: "supported",
    where: ["README.md"],
    tests: ["tools/coverage/coverage.test.ts › every row exists, with every file and test that it names"],
};

const BAD: readonly [string, string, Partial<Row>][] = [
    ["no test", "it needs a file and a test", { tests: [] }],
    ["no file", "it needs a file and a test", { where: [] }],
    ["a file that is not there", "there is no such file", { where: ["nowhere.md"] }],
    ["a test that is not there", "its file has no such test", { tests: ["tools/coverage/coverage.test.ts › nothing"] }],
    ["a test file that is not there", "there is no such file", { tests: ["bench/nowhere.test.ts › nothing"] }],
    ["a gap without a remark", "it has to say what is missing", { status: "not yet" }],
    ["a part without a remark", "it has to say what is missing", { status: "partly" }],
    ["a part without a test", "it needs a file and a test", { status: "partly", tests: [], note: "half of it" }],
    ["words without a document", "it has to name one", { status: "documentation", where: ["Makefile"] }],
    ["another status", "there is none of that name", { status: "perhaps" as Row["status"] }],
];

for (const [what, why, change] of BAD) {
    test(`an invalid row: ${what}, because ${why}`, () => {
        expect(rowProblems(GOOD, ".")).toStrictEqual([]);
        expect(rowProblems({ ...GOOD, ...change }, ".")).toHaveLength(1);
    });
}

test("a missing row is reported", () => {
    expect(problems(rows.slice(1), ".")[0] ?? "").toMatch(/^rows missing, unknown or out of order: A01/);
});

const MENTIONS: readonly [string, string, readonly string[]][] = [
    ["a line of its own", "/** Requirements: A09, X10. */\n", ["A09", "X10"]],
    ["the end of a longer comment", "/**\n * What it is about.\n *\n * Requirements: A09.\n */\n", ["A09"]],
    ["several lines", "/**\n * Requirements: A09, A10,\n * A11.\n */\n", ["A09", "A10", "A11"]],
    ["nothing", 'import * as fs from "node:fs";\n', []],
    ["a text in the code", 'const text = "Requirements: A09.";\n', []],
];

for (const [what, source, expected] of MENTIONS) {
    test(`the requirements of a test file: ${what}`, () => expect(mentioned(source)).toStrictEqual(expected));
}

test("a test file that does not name exactly its rows is reported", () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "coverage-"));
    try {
        const cited = [
            { ...GOOD, id: "B02", tests: ["one.test.ts › works"] },
            { ...GOOD, tests: ["one.test.ts › works", "gone.test.ts › works"] },
        ];
        const say = (text: string): string[] => {
            fs.writeFileSync(path.join(root, "one.test.ts"), text);
            return mentionProblems(cited, root);
        };
        const missing = ["one.test.ts has to say, in a comment at its top: Requirements: A01, B02."];
        expect(say("/** Requirements: A01, B02. */\n")).toStrictEqual([]);
        expect(say('test("works");\n')).toStrictEqual(missing);
        expect(say("/** Requirements: B02. */\n")).toStrictEqual(missing);
        expect(say("/** Requirements: B02, A01. */\n")).toStrictEqual(missing);
        expect(say("/** Requirements: A01, B02, B03. */\n")).toStrictEqual(missing);
    } finally {
        fs.rmSync(root, { recursive: true });
    }
});

test("each end-to-end test says what only a run shows", () => {
    const silent = fs
        .readdirSync("test/e2e")
        .filter(
            (file) => !/^\/\*\*\n(?: \*.*\n)* \* Only a run shows /.test(fs.readFileSync(`test/e2e/${file}`, "utf8")),
        );
    expect(silent).toStrictEqual([]);
});
