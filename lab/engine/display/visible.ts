import {
    diffMaps,
    formatPath,
    isObject,
    OutputValue,
    parsePath,
    pathContains,
    type ObjectDiff,
    type PathElement,
    type Value,
    type ValueMap,
} from "../value";

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

/** Differences of two maps without the machinery's own properties, and the paths that hide further ones. */
export interface VisibleDiff {
    /** Undefined where nothing differs and nothing is hidden. */
    diff: ObjectDiff | undefined;
    /** Paths of the resource's `hideDiffs` option under which there is something, in order. */
    hidden: string[];
}

/**
 * Compares two maps. What is hidden counts as a difference even if it does not differ, as in the real CLI.
 * @param hide paths of the resource's `hideDiffs` option
 */
export function visibleDiff(a: ValueMap, b: ValueMap, hide: readonly string[] = []): VisibleDiff {
    const hiding = new HiddenPaths(hide);
    const diff = diffMaps(a, b, (k, path) => isInternalKey(k) || hiding.covers(path));
    const hidden = hiding.seen;
    return { diff: diff ?? (hidden.length > 0 ? emptyDiff() : undefined), hidden };
}

/** The comparison of two equal maps that have nothing in them. */
function emptyDiff(): ObjectDiff {
    return { adds: new Map(), deletes: new Map(), sames: new Map(), updates: new Map() };
}

/** The paths of a `hideDiffs` option, and which of them were met. */
export class HiddenPaths {
    private readonly paths: readonly { text: string; path: PathElement[] }[];
    private readonly met = new Set<string>();

    constructor(texts: readonly string[]) {
        this.paths = texts.map((text) => ({ text: formatPath(parsePath(text)), path: parsePath(text) }));
    }

    /** True if one of the paths names this property or something around it. */
    covers(path: readonly PathElement[]): boolean {
        const hit = this.paths.find((p) => pathContains(p.path, path));
        if (hit) this.met.add(hit.text);
        return hit !== undefined;
    }
    get seen(): string[] {
        return [...this.met].sort();
    }
}
