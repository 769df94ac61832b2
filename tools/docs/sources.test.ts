/** Comments of the sources: width, first words and plain words. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";

const PRODUCT = ["provider", "components", "policies", "cli"];
const ALL = [...PRODUCT, "bench", "examples", "lab", "test", "tools"].flatMap((root) =>
    fs
        .readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => path.posix.join(root, name)),
);
const SOURCES = ALL.filter((file) => PRODUCT.includes(file.split("/", 1)[0] ?? "") && !file.endsWith(".test.ts"));

const linesOf = (file: string): string[] => fs.readFileSync(file, "utf8").split("\n");
const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*\*?|\*)/.test(line);

test("no line of the product has more than 120 columns", () => {
    const wide = SOURCES.flatMap((file) =>
        linesOf(file).flatMap((line, index) => (line.length > 120 ? [`${file}:${index + 1}`] : [])),
    );
    expect(wide).toStrictEqual([]);
});

test("a doc comment begins with a noun or a verb in the third person", () => {
    const found = ALL.filter((file) =>
        /\/\*\*\s*(?:\*\s*)?(?:What|Whether|Who|How|Those|Of|Why|Where)\b/.test(fs.readFileSync(file, "utf8")),
    );
    expect(found).toStrictEqual([]);
});

test("doc comments and comments use plain words", () => {
    const words = ["anew", "whoever", "looks after", "ought to", "of ours", "speaks? of", "in the place of"];
    const avoided = new RegExp(String.raw`\b(?:${words.join("|")}|stands? (?:in|on)|beside|so that)\b`, "i");
    const found = SOURCES.flatMap((file) =>
        linesOf(file).flatMap((line, index) =>
            isComment(line) && avoided.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
        ),
    );
    expect(found).toStrictEqual([]);
});

test.each([
    ["the word one", /\bones?\b(?! of the)/gi, 1.5],
    ["semicolons", /;/g, 0.1],
])("comments use %s rarely", (_, avoided, perThousandWords) => {
    const comments = ALL.flatMap(linesOf).filter(isComment).join("\n");
    const words = comments.match(/\S*[A-Za-z]\S*/g)?.length ?? 0;
    expect((1000 * (comments.match(avoided)?.length ?? 0)) / words).toBeLessThanOrEqual(perThousandWords);
});
