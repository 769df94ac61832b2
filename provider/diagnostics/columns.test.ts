import { expect, test } from "@jest/globals";
import { alignColumns } from "./format";

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
