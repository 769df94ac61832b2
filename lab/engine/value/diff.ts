import { deepEquals, hasValue, isObject, OutputValue, type Value, type ValueMap } from "./value";
import { formatPath, type PathElement } from "./path";

/** Result of comparing two maps. Maps inside a pair of lists or maps are compared recursively. */
export interface ObjectDiff {
    adds: Map<string, Value>;
    deletes: Map<string, Value>;
    sames: Map<string, Value>;
    updates: Map<string, ValueDiff>;
}
/** Result of comparing two lists, by index. */
export interface ArrayDiff {
    adds: Map<number, Value>;
    deletes: Map<number, Value>;
    sames: Map<number, Value>;
    updates: Map<number, ValueDiff>;
}
/** Two values that differ. */
export interface ValueDiff {
    old: Value;
    new: Value;
    array?: ArrayDiff;
    object?: ObjectDiff;
}

/** Says whether a property is left out of a comparison; the path ends with the key. */
export type IgnoreProperty = (key: string, path: readonly PathElement[]) => boolean;

/** Compares two maps; undefined when there is no difference. Null counts as absent. */
export function diffMaps(
    a: ValueMap,
    b: ValueMap,
    ignore: IgnoreProperty = () => false,
    path: readonly PathElement[] = [],
): ObjectDiff | undefined {
    const d: ObjectDiff = { adds: new Map(), deletes: new Map(), sames: new Map(), updates: new Map() };
    for (const k of Object.keys(a)) {
        if (ignore(k, [...path, k])) continue;
        const old = a[k] as Value;
        if (!(k in b)) {
            if (hasValue(old)) d.deletes.set(k, old);
            continue;
        }
        const now = b[k] as Value;
        const diff = now instanceof OutputValue ? undefined : diffValues(old, now, ignore, [...path, k]);
        if (!diff) d.sames.set(k, old);
        else if (!hasValue(old)) d.adds.set(k, now);
        else if (!hasValue(now)) d.deletes.set(k, old);
        else d.updates.set(k, diff);
    }
    for (const k of Object.keys(b))
        if (!(k in a) && hasValue(b[k]) && !ignore(k, [...path, k])) d.adds.set(k, b[k] as Value);
    return d.adds.size + d.deletes.size + d.updates.size === 0 ? undefined : d;
}

/** Compares two values; undefined when they are equal. */
export function diffValues(
    a: Value,
    b: Value,
    ignore?: IgnoreProperty,
    path: readonly PathElement[] = [],
): ValueDiff | undefined {
    if (Array.isArray(a) && Array.isArray(b)) {
        const d: ArrayDiff = { adds: new Map(), deletes: new Map(), sames: new Map(), updates: new Map() };
        for (let i = a.length; i < b.length; i++) d.adds.set(i, b[i] as Value);
        for (let i = b.length; i < a.length; i++) d.deletes.set(i, a[i] as Value);
        for (let i = 0; i < Math.min(a.length, b.length); i++) {
            const e = diffValues(a[i] as Value, b[i] as Value, ignore, [...path, i]);
            if (e) d.updates.set(i, e);
            else d.sames.set(i, a[i] as Value);
        }
        return d.adds.size + d.deletes.size + d.updates.size === 0 ? undefined : { old: a, new: b, array: d };
    }
    if (isObject(a) && isObject(b)) {
        const d = diffMaps(a, b, ignore, path);
        return d && { old: a, new: b, object: d };
    }
    return deepEquals(a, b) ? undefined : { old: a, new: b };
}

/** Kinds of change of one property, as providers and events name them. */
export type DiffKind = "add" | "add-replace" | "delete" | "delete-replace" | "update" | "update-replace";
export interface PropertyDiff {
    kind: DiffKind;
    /** True when the change is one of inputs, false when it is between recorded state and inputs. */
    inputDiff: boolean;
}
export type DetailedDiff = Map<string, PropertyDiff>;

/** The kind that additionally asks for a replacement. */
export function asReplace(k: DiffKind): DiffKind {
    return k.endsWith("-replace") ? k : (`${k}-replace` as DiffKind);
}

/** Property paths of all differences. An added or removed list element or map is one entry. */
export function detailedDiffOf(d: ObjectDiff | undefined, inputDiff: boolean): DetailedDiff {
    const out: DetailedDiff = new Map();
    const put = (path: PathElement[], kind: DiffKind) => out.set(formatPath(path), { kind, inputDiff });
    const values = (path: PathElement[], v: ValueDiff): void => {
        if (v.object) maps(path, v.object);
        else if (v.array) {
            for (const [i, e] of v.array.updates) values([...path, i], e);
            for (const i of v.array.adds.keys()) put([...path, i], "add");
            for (const i of v.array.deletes.keys()) put([...path, i], "delete");
        } else put(path, "update");
    };
    const maps = (path: PathElement[], o: ObjectDiff): void => {
        for (const [k, e] of o.updates) values([...path, k], e);
        for (const k of o.adds.keys()) put([...path, k], "add");
        for (const k of o.deletes.keys()) put([...path, k], "delete");
    };
    if (d) maps([], d);
    return out;
}

/** Top-level keys that were added, removed or changed, sorted. */
export function changedKeys(d: ObjectDiff): string[] {
    return [...d.adds.keys(), ...d.deletes.keys(), ...d.updates.keys()].sort();
}
