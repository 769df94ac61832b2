import { expect, test } from "@jest/globals";
import { alignColumns } from "./columns";
import { readOptions, UsageError } from "./command-line";

test.each([
    ["no row", [], []],
    [
        "rows of different lengths",
        [["a", "bbb", "c"], ["aaaa"], ["", "b", "cc"]],
        ["a     bbb  c", "aaaa", "      b    cc"],
    ],
    ["empty cells at the end", [["a", ""]], ["a"]],
])("columns stand below one another: %s", (_what, rows, lines) => {
    expect(alignColumns(rows)).toStrictEqual(lines);
});

test("a command line is read by its options, and one that does not fit is a usage error", () => {
    const options = { format: { type: "string" }, help: { type: "boolean", short: "h" } } as const;
    const { values, positionals } = readOptions(["a", "--format", "json", "-h"], options);
    expect([{ ...values }, positionals]).toStrictEqual([{ format: "json", help: true }, ["a"]]);
    for (const argv of [["--other"], ["--format"], ["--help=yes"]])
        expect(() => readOptions(argv, options)).toThrow(UsageError);
});
