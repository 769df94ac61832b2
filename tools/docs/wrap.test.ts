import { expect, test } from "@jest/globals";
import { wrapMarkdown } from "./wrap";

const LONG = "word ".repeat(40).trim();

test("prose is broken at 120 columns", () => {
    const lines = wrapMarkdown(LONG).split("\n");
    expect(lines.map(({ length }) => length)).toStrictEqual([119, 79]);
    expect(lines.join(" ")).toBe(LONG);
});

test("a second pass changes nothing", () => {
    const once = wrapMarkdown(`- ${LONG}\n  1. ${LONG}`);
    expect(wrapMarkdown(once)).toBe(once);
});

test("an item of a list is indented below its text", () => {
    expect(wrapMarkdown(`- ${LONG}`).split("\n")[1]).toMatch(/^ {2}word/);
    expect(wrapMarkdown(`10. ${LONG}`).split("\n")[1]).toMatch(/^ {4}word/);
});

test("tables, headings and blocks of code stay as they are", () => {
    const page = [`| ${LONG} |`, `# ${LONG}`, "```", LONG, "```", ""].join("\n");
    expect(wrapMarkdown(page)).toBe(page);
});

test("a span of code is not broken", () => {
    const code = "`npx ack-loadbalancer check manifests/`";
    expect(wrapMarkdown(`${"x".repeat(100)} ${code}`).split("\n")).toStrictEqual(["x".repeat(100), code]);
});

test("no line begins like an item of a list", () => {
    expect(wrapMarkdown(`${"x".repeat(118)} - y`).split("\n")).toStrictEqual([`${"x".repeat(118)} -`, "y"]);
});
