/** Every page in Markdown: width, words and links. */
import { expect, test } from "@jest/globals";
import * as fs from "node:fs";
import * as path from "node:path";
import { anchorsOf, linksOf, proseOf } from "./pages";

const ROOTS = [".github", "docs", "examples", "lab"];

const inFolders = ROOTS.flatMap((root) =>
    fs
        .readdirSync(root, { recursive: true, encoding: "utf8" })
        .filter((name) => !name.includes("node_modules"))
        .map((name) => `${root}/${name}`),
);
const PAGES = [...fs.readdirSync("."), ...inFolders].filter((name) => name.endsWith(".md")).sort();

const read = (page: string): string => fs.readFileSync(page, "utf8");

/** Written from texts of the product. */
const GENERATED = ["annotations.md", "errors.md", "policies.md"];

test("no line of prose has more than 120 columns", () => {
    const wide = PAGES.flatMap((page) => proseOf(read(page)).map(({ line, text }) => ({ at: `${page}:${line}`, text })))
        .filter(({ text }) => text.length > 120 && !text.includes("https://"))
        .map(({ at }) => at);
    expect(wide).toStrictEqual([]);
});

const AVOIDED =
    /\b(anew|whoever|beside|looks after|ought to|of ours|speaks? of|in the place of|stands? (in|on|beside)|so that)\b/i;

test("pages that people write use plain words", () => {
    const found = PAGES.filter((page) => !GENERATED.includes(path.basename(page)))
        .flatMap((page) => proseOf(read(page)).map(({ line, text }) => `${page}:${line}: ${text}`))
        .filter((text) => AVOIDED.test(text));
    expect(found).toStrictEqual([]);
});

test("every link leads to a file or a heading that exists", () => {
    const broken = PAGES.flatMap((page) =>
        linksOf(read(page)).flatMap((link) => {
            const [name = "", anchor] = link.split("#");
            const target = name === "" ? page : path.posix.join(path.posix.dirname(page), name);
            const exists = fs.existsSync(target) && (anchor === undefined || anchorsOf(read(target)).has(anchor));
            return exists ? [] : [`${page}: ${link}`];
        }),
    );
    expect(broken).toStrictEqual([]);
});

test("every folder that begins a row of a table exists", () => {
    const missing = PAGES.flatMap((page) =>
        foldersOf(read(page)).flatMap((name) =>
            [".", path.dirname(page)].some((root) => fs.existsSync(path.join(root, name))) ? [] : [`${page}: ${name}`],
        ),
    );
    expect(missing).toStrictEqual([]);
    expect(foldersOf("| folder | content |\n|---|---|\n| `plugin/`, `cli/check` | x |\n")).toStrictEqual([
        "plugin/",
        "cli/check",
    ]);
});

/** Returns the names in the first column of tables of folders. */
function foldersOf(page: string): string[] {
    const tables = page.split("\n\n").filter((part) => /^\| folder /i.test(part));
    const cells = tables.flatMap((table) => table.split("\n").slice(2)).map((row) => row.split("|")[1] ?? "");
    return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}
