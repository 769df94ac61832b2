/** Excerpts of what commands print, as demonstrations show them. */
import { expect, test } from "@jest/globals";
import { excerpt } from "../examples/stage";

const lines = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

test("a short output is shown whole, and a long one with its first and its last lines", () => {
    expect(excerpt(`${lines(8).join("\n")}\n`)).toBe(lines(8).join("\n"));
    expect(excerpt(`${lines(9).join("\n")}\n`).split("\n")).toStrictEqual([
        ...lines(3),
        "  … 2 lines, which the log has",
        ...lines(9).slice(-4),
    ]);
});

test("a line ends at the edge of the screen", () => {
    expect(excerpt("x".repeat(120))).toBe("x".repeat(120));
    expect(excerpt("x".repeat(121))).toBe(`${"x".repeat(119)}…`);
});
