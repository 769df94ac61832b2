import { diffMaps, isObject, OutputValue, type ObjectDiff, type Value, type ValueMap } from "../value";

/** Properties whose names begin so belong to the machinery and are not shown. */
export function isInternalKey(k: string): boolean {
    return k.startsWith("__");
}

/** False for values that only clutter the output: null, empty texts, lists and maps. */
export function worthPrinting(v: Value | undefined, outputs: boolean): boolean {
    if (v === undefined || v === null || v === "") return false;
    if (Array.isArray(v)) return v.length > 0;
    if (isObject(v)) return Object.keys(v).length > 0;
    return outputs || !(v instanceof OutputValue);
}

/** Differences of two maps without the machinery's own properties. */
export function visibleDiff(a: ValueMap, b: ValueMap): ObjectDiff | undefined {
    return diffMaps(a, b, isInternalKey);
}
