/** The table of requirements, and its checks. */
import * as fs from "node:fs";
import * as path from "node:path";
import { mentioned } from "./mentions";
import { hasTest } from "./titles";

/** Status of a requirement. */
export const STATUSES = ["supported", "partly", "refused", "not yet", "documentation", "outside"] as const;

export type Status = (typeof STATUSES)[number];

/** The meaning of each status. */
export const MEANINGS: Readonly<Record<Status, string>> = {
    supported: "works as required, verified by a test",
    refused: "refused with a clear error, verified by a test",
    partly: "works but for an important part; the remark says which",
    "not yet": "missing",
    documentation: "needs documentation only, which exists",
    outside: "outside the scope of this package",
};

export interface Row {
    readonly id: string;
    /** Short text of the requirement. */
    readonly requirement: string;
    readonly status: Status;
    /** Files and folders that implement it. */
    readonly where: readonly string[];
    /** Printed titles, `file › title`, of the tests that verify it. */
    readonly tests: readonly string[];
    readonly note?: string;
}

/** The groups of requirements, by the letter of their ids, and how many rows each has. */
export const GROUPS: Readonly<Record<string, { readonly title: string; readonly rows: number }>> = {
    A: { title: "Annotations", rows: 69 },
    B: { title: "Instances", rows: 36 },
    C: { title: "Listeners", rows: 37 },
    D: { title: "Backends", rows: 35 },
    E: { title: "Reuse of instances", rows: 21 },
    F: { title: "Immutable fields and deletion", rows: 23 },
    G: { title: "Access from inside the cluster, and errors", rows: 39 },
    H: { title: "Edge clusters, and other scenarios", rows: 28 },
    I: { title: "Questions that the documents leave open", rows: 64 },
    J: { title: "Examples", rows: 47 },
    X: { title: "From other documents and from CCM", rows: 40 },
};

/** Between a test's file and its title. */
const OF = " › ";

/** Reads the table. */
export function readTable(file: string): Row[] {
    return (JSON.parse(fs.readFileSync(file, "utf8")) as { rows: Row[] }).rows;
}

/** Everything that is wrong with the table. Its paths are relative to `root`. */
export function problems(rows: readonly Row[], root: string): string[] {
    return [
        ...missingRows(rows),
        ...rows.flatMap((row) => rowProblems(row, root).map((problem) => `${row.id}: ${problem}`)),
        ...mentionProblems(rows, root),
    ];
}

/** Every group is numbered from 01, in order, without a gap. */
function missingRows(rows: readonly Row[]): string[] {
    const expected = Object.entries(GROUPS).flatMap(([letter, group]) =>
        Array.from({ length: group.rows }, (_, n) => `${letter}${String(n + 1).padStart(2, "0")}`),
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

/** Test files that do not name exactly their rows, sorted: a change of a test needs to consider its requirements. */
export function mentionProblems(rows: readonly Row[], root: string): string[] {
    const cited = new Map<string, Set<string>>();
    for (const { id, tests } of rows) {
        for (const [file] of tests.map(split)) cited.set(file, (cited.get(file) ?? new Set()).add(id));
    }
    return [...cited]
        .filter(([file]) => fs.existsSync(path.join(root, file)))
        .flatMap(([file, ids]) => {
            const expected = [...ids].sort().join(", ");
            return mentioned(fs.readFileSync(path.join(root, file), "utf8")).join(", ") === expected
                ? []
                : [`${file} has to say, in a comment at its top: Requirements: ${expected}.`];
        });
}

export function rowProblems(row: Row, root: string): string[] {
    const found: string[] = [];
    if (!STATUSES.includes(row.status)) {
        found.push(`no status "${row.status}"`);
    }
    if (
        (row.status === "supported" || row.status === "partly" || row.status === "refused") &&
        (row.where.length === 0 || row.tests.length === 0)
    ) {
        found.push(`"${row.status}" needs a file and a test`);
    }
    if (row.status === "documentation" && !row.where.some((file) => file.endsWith(".md"))) {
        found.push("no document is named");
    }
    if ((row.status === "partly" || row.status === "not yet" || row.status === "outside") && row.note === undefined) {
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
