import type { StepFacts } from "../events";
import {
    diffValues,
    isMap,
    OutputValue,
    parsePath,
    Secret,
    Unknown,
    type DiffKind,
    type ObjectDiff,
    type PathElement,
    type Value,
    type ValueDiff,
} from "../value";
import { HiddenPaths, type VisibleDiff } from "./visible";

type Part = { object?: ObjectDiff; array?: ValueDiff["array"] };

/** What is inside a value; of secrets and unknowns that is hidden, so they stand for their parts. */
function child(key: PathElement, v: Value | undefined): Value | undefined {
    if (v instanceof Secret || v instanceof Unknown || v instanceof OutputValue) return v;
    if (Array.isArray(v)) return typeof key === "number" ? v[key] : undefined;
    return isMap(v) && typeof key === "string" ? v[key] : undefined;
}

function put<K>(
    path: readonly PathElement[],
    kind: DiffKind,
    d: { adds: Map<K, Value>; deletes: Map<K, Value>; updates: Map<K, ValueDiff> },
    key: K,
    old: Value | undefined,
    now: Value | undefined,
): void {
    const [o, n] = [old ?? null, now ?? null];
    if (path.length === 1) {
        if (kind.startsWith("add")) d.adds.set(key, n);
        else if (kind.startsWith("delete")) d.deletes.set(key, o);
        else d.updates.set(key, diffValues(o, n) ?? { old: o, new: n });
    } else if (o === null && n !== null) d.adds.set(key, n);
    else if (o !== null && n === null) d.deletes.set(key, o);
    else {
        const inner: ValueDiff = d.updates.get(key) ?? { old: o, new: n };
        add(path.slice(1), kind, inner, old, now);
        d.updates.set(key, inner);
    }
}

function add(
    path: readonly PathElement[],
    kind: DiffKind,
    parent: Part,
    old: Value | undefined,
    now: Value | undefined,
): void {
    const key = path[0];
    if (key === undefined) return;
    const [o, n] = [child(key, old), child(key, now)];
    if (typeof key === "number") {
        parent.array ??= { adds: new Map(), deletes: new Map(), sames: new Map(), updates: new Map() };
        put(path, kind, parent.array, key, o, n);
    } else {
        parent.object ??= { adds: new Map(), deletes: new Map(), sames: new Map(), updates: new Map() };
        put(path, kind, parent.object, key, o, n);
    }
}

/** Path of a changed property; what is not in the form of a path is the name of a property. */
function pathOf(text: string): PathElement[] {
    try {
        return parsePath(text);
    } catch {
        return [text];
    }
}

/**
 * A step's list of changed paths as a tree of differences with values.
 * @param refresh the step compares the record with reality: new values are what was read
 * @param hide paths of the resource's `hideDiffs` option
 */
export function detailedTree(s: StepFacts, refresh: boolean, hide: readonly string[] = []): VisibleDiff {
    const root: Part = {};
    const hiding = new HiddenPaths(hide);
    for (const [text, p] of [...(s.detailedDiff ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const path = pathOf(text);
        if (hiding.covers(path)) continue;
        const old = p.inputDiff ? s.old?.inputs : s.old?.outputs;
        const now = refresh && !p.inputDiff ? s.now?.outputs : s.now?.inputs;
        add(path, p.kind, root, old, now);
    }
    return { diff: root.object, hidden: hiding.seen };
}
