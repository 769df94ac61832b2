/** The table of attacks in SECURITY.md: each row has a test, which is there. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { REPOSITORY } from "./support/repository";

const rows = fs
    .readFileSync(path.join(REPOSITORY, "SECURITY.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:who|-+) /.test(line));

test("each attack has a test", () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
        const [, title = "", file = ""] = /\| \[([^\]]+)\]\(([^)]+)\) +\|$/.exec(row) ?? [];
        const text = fs.existsSync(path.join(REPOSITORY, file))
            ? fs.readFileSync(path.join(REPOSITORY, file), "utf8")
            : "";
        // An ellipsis stands for what differs from case to case.
        for (const part of title.split("…"))
            expect([row, text.includes(part) && title !== ""]).toStrictEqual([row, true]);
    }
});
