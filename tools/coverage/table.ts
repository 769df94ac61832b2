/** The table of requirements, and what is wrong with it. */
import * as fs from "node:fs";
import * as path from "node:path";
import { hasTest } from "./titles";

/** How far a requirement has come. */
export const STATUSES = ["realised", "refused", "not yet", "documentation", "outside"] as const;

export type Status = (typeof STATUSES)[number];

/** What each status means, for readers. */
export const MEANINGS: Readonly<Record<Status, string>> = {
    realised: "it works as required, and a test says so",
    refused: "it is understood, and refused with a clear error until it is realised; a test says so",
    "not yet": "it is missing, or a part of it that counts; the remark says what",
    documentation: "it asks for nothing but words, and the words are there",
    outside: "it speaks of something that this package is not",
};

/** One requirement. */
export interface Row {
    readonly id: string;
    /** What is required, in our words. */
    readonly requirement: string;
    readonly status: Status;
    /** Files and folders that realise it. */
    readonly where: readonly string[];
    /** `file › title` of the tests that say so; the title is the one that is printed when the test runs. */
    readonly tests: readonly string[];
    readonly note?: string;
}

/** The groups of requirements, by the letter of their ids, and how many rows each has, or which. */
export const GROUPS: Readonly<Record<string, { readonly title: string; readonly rows: number | readonly number[] }>> = {
    A: { title: "Annotations", rows: 69 },
    B: { title: "Instances", rows: 36 },
    C: { title: "Listeners", rows: 37 },
    D: { title: "Backends", rows: 35 },
    E: { title: "Reuse of instances", rows: 21 },
    F: { title: "What cannot change, and deletion", rows: 23 },
    G: { title: "Access from inside the cluster, and errors", rows: 39 },
    H: { title: "Edge clusters, and other scenarios", rows: 28 },
    I: { title: "Where the documents leave it open", rows: [24, 45, 53, 54] },
    X: { title: "From other documents and from CCM", rows: 32 },
};

/** Between a test's file and its title. */
const OF = " › ";

/** Reads the table. */
export function readTable(file: string): Row[] {
    return (JSON.parse(fs.readFileSync(file, "utf8")) as { rows: Row[] }).rows;
}

/** Everything in the table that is not so; empty if it can be believed. `root` is the folder that its paths start from. */
export function problems(rows: readonly Row[], root: string): string[] {
    return [
        ...missingRows(rows),
        ...rows.flatMap((row) => rowProblems(row, root).map((problem) => `${row.id}: ${problem}`)),
    ];
}

/** Every group is numbered from 01, in order, without a gap, unless its numbers are given. */
function missingRows(rows: readonly Row[]): string[] {
    const numbers = (of: number | readonly number[]): readonly number[] =>
        typeof of === "number" ? Array.from({ length: of }, (_, n) => n + 1) : of;
    const expected = Object.entries(GROUPS).flatMap(([letter, group]) =>
        numbers(group.rows).map((n) => `${letter}${String(n).padStart(2, "0")}`),
    );
    const actual = rows.map(({ id }) => id);
    return JSON.stringify(expected) === JSON.stringify(actual)
        ? []
        : [
              `rows missing, unknown or out of order: ${
                  expected
                      .filter((id, n) => actual[n] !== id)
                      .slice(0, 3)
                      .join(", ") || "too many"
              }`,
          ];
}

function rowProblems(row: Row, root: string): string[] {
    const found: string[] = [];
    if (!STATUSES.includes(row.status)) {
        found.push(`no status "${row.status}"`);
    }
    if ((row.status === "realised" || row.status === "refused") && (row.where.length === 0 || row.tests.length === 0)) {
        found.push(`"${row.status}" needs a file and a test`);
    }
    if (row.status === "documentation" && !row.where.some((file) => file.endsWith(".md"))) {
        found.push("no document is named");
    }
    if ((row.status === "not yet" || row.status === "outside") && row.note === undefined) {
        found.push(`"${row.status}" needs a remark`);
    }
    found.push(
        ...row.where.filter((file) => !fs.existsSync(path.join(root, file))).map((file) => `there is no ${file}`),
    );
    for (const reference of row.tests) {
        const [file = "", title] = split(reference);
        if (title === undefined || !fs.existsSync(path.join(root, file))) {
            found.push(`no test file in "${reference}"`);
        } else if (!hasTest(path.join(root, file), title)) {
            found.push(`${file} has no test "${title}"`);
        }
    }
    return found;
}

/** File and title of a test. */
export function split(reference: string): [string, string | undefined] {
    const at = reference.indexOf(OF);
    return at < 0 ? [reference, undefined] : [reference.slice(0, at), reference.slice(at + OF.length)];
}
