import type { Json, JsonMap } from "./case";

/** One difference between a recording and a run. */
export interface Difference {
    where: string;
    expected: Json | undefined;
    got: Json | undefined;
}

/** Compares documents; numbered UUIDs are matched one to one over a whole case, whatever number they got. */
export class Comparer {
    private readonly there = new Map<string, string>();
    private readonly back = new Map<string, string>();
    readonly differences: Difference[] = [];

    private sameText(a: string, b: string): boolean {
        if (a === b && !a.includes("<uuid:")) return true;
        const pattern = /<uuid:\d+>/g;
        if (a.replace(pattern, "<uuid>") !== b.replace(pattern, "<uuid>")) return false;
        const [x, y] = [a.match(pattern) ?? [], b.match(pattern) ?? []];
        return x.every((u, i) => {
            const v = y[i] as string;
            if (this.there.has(u) || this.back.has(v)) return this.there.get(u) === v && this.back.get(v) === u;
            this.there.set(u, v);
            this.back.set(v, u);
            return true;
        });
    }

    compare(expected: Json | undefined, got: Json | undefined, where: string): void {
        if (expected === got) return;
        if (typeof expected === "string" && typeof got === "string" && this.sameText(expected, got)) return;
        if (
            expected &&
            got &&
            typeof expected === "object" &&
            typeof got === "object" &&
            Array.isArray(expected) === Array.isArray(got)
        ) {
            if (Array.isArray(expected) && Array.isArray(got) && expected.length !== got.length) {
                this.differences.push({
                    where: `${where} (length ${expected.length}, got ${got.length})`,
                    expected,
                    got,
                });
                return;
            }
            for (const k of new Set([...Object.keys(expected), ...Object.keys(got)]))
                this.compare((expected as JsonMap)[k], (got as JsonMap)[k], `${where}.${k}`);
            return;
        }
        this.differences.push({ where, expected, got });
    }

    /** Every recorded pair must have been observed; more are welcome. */
    subset(expected: readonly string[], got: readonly string[], where: string): void {
        for (const p of expected)
            if (!got.some((g) => this.sameText(p, g))) this.differences.push({ where, expected: p, got: undefined });
    }
}

/** Fields that are not compared: remarks of the recorder, and what it could not record. */
const REMARKS = new Set(["notRecorded", "checkpointOrderOddities"]);

/** Compares one step. `unchanged` as an expected checkpoint means the one of the step before on that stack. */
export function compareStep(c: Comparer, n: number, expected: JsonMap, got: JsonMap, previous: Json): void {
    for (const k of Object.keys(expected)) {
        if (REMARKS.has(k)) continue;
        const where = `step ${n} ${k}`;
        if (k === "order") c.subset(expected[k] as string[], (got[k] ?? []) as string[], where);
        else if (k === "previewPhase") {
            const [e, g] = [expected[k] as JsonMap, (got[k] ?? {}) as JsonMap];
            for (const f of Object.keys(e)) {
                if (f === "order") c.subset(e[f] as string[], (g[f] ?? []) as string[], `${where}.order`);
                else c.compare(e[f], g[f], `${where}.${f}`);
            }
        } else if (k === "checkpoint" && expected[k] === "unchanged") c.compare(previous, got[k], where);
        else c.compare(expected[k], got[k], where);
    }
    for (const k of ["stderr", "locks", "signal", "checkpointFile", "policyEvents"])
        if (got[k] !== undefined && expected[k] === undefined) c.compare(undefined, got[k], `step ${n} ${k}`);
}
