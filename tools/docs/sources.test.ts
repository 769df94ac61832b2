/** Comments of the product: width and first words. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";

const SOURCES = ["provider", "components", "policies", "cli"].flatMap((root) =>
    fs
        .readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
        .map((name) => path.posix.join(root, name)),
);

const linesOf = (file: string): string[] => fs.readFileSync(file, "utf8").split("\n");

test("no line of the product has more than 120 columns", () => {
    const wide = SOURCES.flatMap((file) =>
        linesOf(file).flatMap((line, index) => (line.length > 120 ? [`${file}:${index + 1}`] : [])),
    );
    expect(wide).toStrictEqual([]);
});

test("a doc comment begins with a noun or a verb in the third person", () => {
    const found = SOURCES.filter((file) =>
        /\/\*\*\s*(?:\*\s*)?(?:What|Whether|Who|How|Those|Of|Why|Where)\b/.test(fs.readFileSync(file, "utf8")),
    );
    expect(found).toStrictEqual([]);
});

test("doc comments and comments use plain words", () => {
    const words = ["anew", "whoever", "looks after", "ought to", "of ours", "speaks? of", "in the place of"];
    const avoided = new RegExp(String.raw`\b(?:${words.join("|")}|stands? (?:in|on)|beside|so that)\b`, "i");
    const found = SOURCES.flatMap((file) =>
        linesOf(file).flatMap((line, index) =>
            /^\s*(?:\/\/|\/\*\*?|\*)/.test(line) && avoided.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
    expect(found).toStrictEqual([]);
});
