/** Paths in the configurations of the tools: each of them exists. */
import { expect, jest, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";

interface Side {
    readonly path?: string;
    readonly pathNot?: string;
}

const { forbidden } = jest.requireActual<{ readonly forbidden: readonly { readonly from: Side; readonly to: Side }[] }>(
    "../../.dependency-cruiser.cjs",
);

const FILES = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && fs.existsSync(file));

/** Returns the index of the bracket that closes the group at `start`. */
function endOf(pattern: string, start: number): number {
    let depth = 0;
    for (let index = start; index < pattern.length; index++) {
        if (pattern[index] === "\\") index++;
        else if (pattern[index] === "(") depth++;
        else if (pattern[index] === ")" && --depth === 0) return index;
    }
    throw new Error(`an open group in ${pattern}`);
}

/** Splits a pattern at the bars outside of its groups. */
function alternatives(pattern: string): string[] {
    for (let index = 0; index < pattern.length; index++) {
        if (pattern[index] === "\\") index++;
        else if (pattern[index] === "(") index = endOf(pattern, index);
        else if (pattern[index] === "|") return [pattern.slice(0, index), ...alternatives(pattern.slice(index + 1))];
    }
    return [pattern];
}

/** Returns patterns without alternatives, except in lookaheads, that match together what `pattern` matches. */
function expand(pattern: string): string[] {
    return alternatives(pattern).flatMap((one) => {
        const start = one.search(/(?<!\\)\((?!\?)/);
        if (start < 0) return [one];
        const end = endOf(one, start);
        return alternatives(one.slice(start + 1, end)).flatMap((inner) =>
            expand(one.slice(0, start) + inner + one.slice(end + 1)),
        );
    });
}

/** Patterns of the rules that are about files of the project. */
const patterns = forbidden
    .flatMap(({ from, to }) => [from.path, from.pathNot, to.path, to.pathNot])
    .flatMap((pattern) => (pattern === undefined ? [] : expand(pattern)))
    .filter((pattern) => /^\^(?:provider|components|policies|cli|lab|tools|bench|test|examples)\//.test(pattern));

test.each([...new Set(patterns)])("dependency-cruiser: %s matches a file", (pattern) => {
    // $1 is what the other side of a rule has matched.
    const found = new RegExp(pattern.replace("$1", "[^/]+"));
    expect(FILES.some((file) => found.test(file))).toBe(true);
});

const globs = [...fs.readFileSync("eslint.config.mjs", "utf8").matchAll(/"(\w[\w.*/-]*\/[\w.*/-]*\.\w+)"/g)].map(
    ([, glob = ""]) => glob,
);

test.each([...new Set(globs)])("eslint: %s matches a file", (glob) => {
    expect(fs.globSync(glob, { exclude: (name) => name === "node_modules" })).not.toStrictEqual([]);
});
