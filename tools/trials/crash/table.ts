import { type FaultKind, FAULTS, type Point } from "./faults";

/** The tables of docs/internal/recovery-tables.md, by how the runs are interrupted. */
export const PLACES = { rig: "crash table", removals: "removals", processes: "engine kills" } as const;
export type Place = (typeof PLACES)[keyof typeof PLACES];

/** Which of all points were taken. */
export interface Share {
    /** Every so manieth point. */
    readonly every: number;
    /** Number of the first call, from 0. */
    readonly offset: number;
}

/**
 * Returns tables of the points that healed, by fault and by scenario, with the extent of the run.
 *
 * @param removed true if the Service was removed after each fault
 */
export function renderTable(points: readonly Point[], { every, offset }: Share, removed = false): string {
    const kinds = FAULTS.filter((kind) => points.some(({ fault }) => fault === kind));
    const scenarios = [...new Set(points.map(({ scenario }) => scenario))];
    return [
        every === 1 ? "Every point was taken." : `Every ${ordinal(every)} point was taken, from number ${offset} on.`,
        "",
        ...table(
            "What befalls the call",
            kinds.map((kind): Row => [kind, points.filter(({ fault }) => fault === kind)]),
            points,
            removed,
        ),
        "",
        ...table(
            "Run",
            scenarios.map((name): Row => [name, points.filter(({ scenario }) => scenario === name)]),
            points,
            removed,
        ),
        "",
    ].join("\n");
}

type Row = readonly [name: FaultKind | string, points: readonly Point[]];

const HEALED = ["points", "healed by the next run", "by one with --refresh after it", "not healed"];
const REMOVED = ["points", "removed without a rest", "something left, or refused"];

function table(title: string, rows: readonly Row[], all: readonly Point[], removed: boolean): string[] {
    const columns = [title, ...(removed ? REMOVED : HEALED)];
    const cells = ([name, of]: Row) => {
        const [total, healed, refreshed, bad] = counts(of);
        return [name, total, healed, ...(removed ? [] : [refreshed]), bad];
    };
    return [columns, columns.map(() => "---"), ...[...rows, ["all", all] as Row].map(cells)].map(
        (row) => `| ${row.join(" | ")} |`,
    );
}

function counts(points: readonly Point[]): number[] {
    const healed = points.filter(({ wrong }) => wrong.length === 0);
    const refreshed = healed.filter((point) => point.refreshed).length;
    return [points.length, healed.length - refreshed, refreshed, points.length - healed.length];
}

const ordinal = (n: number): string => `${n}${n === 2 ? "nd" : n === 3 ? "rd" : "th"}`;

/** A document with a table in its place. @throws Error if the place is not marked */
export function insertTable(document: string, table: string, place: Place): string {
    const [open, close] = [`<!-- ${place} -->`, `<!-- /${place} -->`];
    const [start, end] = [document.indexOf(open), document.indexOf(close)];
    if (start < 0 || end < start) throw new Error(`the document has no ${open} … ${close}`);
    return `${document.slice(0, start + open.length)}\n\n${table}\n${document.slice(end)}`;
}
