import { copyValue, isMap, Secret, type Value, type ValueMap } from "./value";

/** One step of a property path: a key, an index, or "*" as wildcard for both. */
export type PathElement = string | number;

/**
 * Reads a property path: `a.b[3]["c.d"].e`, wildcards `a[*].b` and `*`.
 * @throws Error on unbalanced brackets or quotes.
 */
export function parsePath(text: string): PathElement[] {
    const out: PathElement[] = [];
    let p = text;
    while (p.length > 0) {
        if (p[0] === ".") {
            p = p.slice(1);
            if (p.length === 0) throw new Error("expected property path element after '.'");
        } else if (p[0] === "[") {
            if (p[1] === '"') {
                let key = "";
                let i = 2;
                for (; i < p.length && p[i] !== '"'; i++) {
                    if (p[i] === "\\" && p[i + 1] === '"') i++;
                    key += p[i];
                }
                if (p[i] !== '"' || p[i + 1] !== "]") throw new Error("missing closing quote in property name");
                out.push(key);
                p = p.slice(i + 2);
            } else {
                const end = p.indexOf("]");
                if (end < 0) throw new Error("missing closing bracket in array index");
                const inner = p.slice(1, end);
                if (inner === "*") out.push("*");
                else if (/^\d+$/.test(inner)) out.push(Number(inner));
                else throw new Error(`invalid array index: ${inner}`);
                p = p.slice(end + 1);
            }
        } else {
            const m = /^[^.[]+/.exec(p);
            out.push(m ? m[0] : p);
            p = p.slice(m ? m[0].length : p.length);
        }
    }
    return out;
}

/** Writes a path; keys with special characters are quoted. */
export function formatPath(path: readonly PathElement[]): string {
    let out = "";
    for (const e of path) {
        if (typeof e === "number") out += `[${e}]`;
        else if (/^[A-Za-z_$][\w$]*$/.test(e)) out += out === "" ? e : `.${e}`;
        else out += `["${e.replace(/"/g, '\\"')}"]`;
    }
    return out;
}

/** True if `path` (which may have wildcards) names `other` or something around it. */
export function pathContains(path: readonly PathElement[], other: readonly PathElement[]): boolean {
    if (other.length < path.length) return false;
    return path.every((e, i) => e === "*" || e === other[i]);
}

/** The value at a path without wildcards, looking through secrets. */
export function getPath(path: readonly PathElement[], v: Value | undefined): Value | undefined {
    let cur: Value | undefined = v;
    for (const e of path) {
        while (cur instanceof Secret) cur = cur.element;
        if (typeof e === "number" && Array.isArray(cur)) cur = cur[e];
        else if (typeof e === "string" && isMap(cur)) cur = cur[e];
        else return undefined;
    }
    return cur;
}

/**
 * Sets the value at `path` in a copy of `now` back to what it is in `old`: the meaning of ignoreChanges.
 * @returns the copy, and whether all that the path names is back; elements of which only one list knows stay as they are
 */
export function resetPath(
    path: readonly PathElement[],
    old: ValueMap,
    now: ValueMap,
): { value: ValueMap; complete: boolean } {
    const value = copyValue(now) as ValueMap;
    return { value, complete: reset(path, old, value) };
}

/**
 * Changes `now` in place.
 * @returns false if the path leads nowhere, or only in one of the two values
 */
function reset(
    path: readonly PathElement[],
    old: Value | undefined,
    now: Value | undefined,
    secret: { old: boolean; now: boolean } = { old: false, now: false },
): boolean {
    const [key, ...rest] = path;
    if (key === undefined) return false;
    const o = uncovered(old);
    const n = uncovered(now);
    const inside = { old: secret.old || o !== old, now: secret.now || n !== now };
    // What was secret stays secret, also where the new value around it is not.
    const back = (v: Value): Value => (inside.old && !inside.now ? new Secret(v) : v);
    const leaf = rest.length === 0;
    const below = (a: Value | undefined, b: Value | undefined) => reset(rest, a, b, inside);
    if (typeof key === "number") {
        if (!Array.isArray(o) || !Array.isArray(n)) return !Array.isArray(o) && !Array.isArray(n);
        if (key >= o.length || key >= n.length) return leaf && key >= o.length && key >= n.length;
        if (!leaf) return below(o[key], n[key]);
        n[key] = back(o[key] as Value);
        return true;
    }
    if (key === "*") {
        if (leaf && Array.isArray(n) !== Array.isArray(o)) return Array.isArray(n) || isMap(n);
        if (Array.isArray(o) && Array.isArray(n)) {
            let complete = o.length === n.length;
            for (let i = 0; i < Math.min(o.length, n.length); i++) {
                if (leaf) n[i] = back(o[i] as Value);
                else if (!below(o[i], n[i])) complete = false;
            }
            return complete;
        }
        if (leaf && isMap(n) && !isMap(o)) return true;
        if (!isMap(o) || !isMap(n)) return false;
        if (!leaf) return Object.keys(o).every((k) => Object.hasOwn(n, k) && below(o[k], n[k]));
        for (const k of Object.keys(n)) if (!Object.hasOwn(o, k)) delete n[k];
        for (const [k, v] of Object.entries(o)) n[k] = back(v);
        return true;
    }
    const had = isMap(o) && Object.hasOwn(o, key) ? o[key] : undefined;
    if (leaf) {
        if (!isMap(n)) return had === undefined;
        if (had === undefined) delete n[key];
        else n[key] = back(had);
        return true;
    }
    if (!isMap(o) || !isMap(n)) return !isMap(o) && !isMap(n);
    if (!Object.hasOwn(n, key)) return had === undefined;
    return below(had, n[key]);
}

function uncovered(v: Value | undefined): Value | undefined {
    return v instanceof Secret ? uncovered(v.element) : v;
}
