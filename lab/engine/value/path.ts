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
    return { value, complete: reset(path, old, value) !== FAILED };
}

const FAILED = Symbol("failed");

/** Changes `now` in place. `old` is undefined where the old value does not exist. */
function reset(
    path: readonly PathElement[],
    old: Value | undefined,
    now: Value | undefined,
): typeof FAILED | undefined {
    const key = path[0];
    if (key === undefined) return undefined;
    const rest = path.slice(1);
    const o: Value | undefined = old instanceof Secret ? old.element : old;
    const n: Value | undefined = now instanceof Secret ? now.element : now;
    if (key === "*") return resetAll(rest, o, n);
    if (typeof key === "number") {
        if (!Array.isArray(n)) return Array.isArray(o) && key < o.length ? FAILED : undefined;
        const has = Array.isArray(o) && key < o.length;
        if (rest.length > 0) return reset(rest, has ? (o as Value[])[key] : undefined, n[key]);
        if (!has) {
            if (key < n.length) return FAILED;
            return undefined;
        }
        if (key > n.length) return FAILED;
        n[key] = (o as Value[])[key] as Value;
        return undefined;
    }
    if (!isMap(n)) return isMap(o) && key in o ? FAILED : undefined;
    const has = isMap(o) && key in o;
    if (rest.length > 0) {
        if (!(key in n)) return has && getPath(rest, o[key]) !== undefined ? FAILED : undefined;
        return reset(rest, has ? o[key] : undefined, n[key]);
    }
    if (has) n[key] = o[key] as Value;
    else delete n[key];
    return undefined;
}

function resetAll(rest: readonly PathElement[], o: Value | undefined, n: Value | undefined): typeof FAILED | undefined {
    if (Array.isArray(n)) {
        const from = Array.isArray(o) ? o : [];
        let complete = from.length === n.length;
        for (let i = 0; i < Math.min(from.length, n.length); i++) {
            if (rest.length === 0) n[i] = from[i] as Value;
            else if (reset(rest, from[i], n[i]) === FAILED) complete = false;
        }
        return complete ? undefined : FAILED;
    }
    if (isMap(n)) {
        const from = isMap(o) ? o : {};
        if (rest.length === 0) {
            for (const k of Object.keys(n)) delete n[k];
            Object.assign(n, from);
            return undefined;
        }
        for (const k of Object.keys(n)) if (reset(rest, from[k], n[k]) === FAILED) return FAILED;
        return undefined;
    }
    return undefined;
}
