import { TfSet, type Value } from "./value";

/** Compares structures. `undefined` and `null` are equal, and sets compare by code and element. */
export function equal(a: Value, b: Value): boolean {
    if (a === null || a === undefined) return b === null || b === undefined;
    if (b === null || b === undefined) return false;
    if (a instanceof TfSet || b instanceof TfSet) {
        if (!(a instanceof TfSet) || !(b instanceof TfSet) || a.size !== b.size) return false;
        const [left, right] = [a.entries(), b.entries()];
        return left.every(([code, element], i) => right[i]![0] === code && equal(element, right[i]![1]));
    }
    if (Array.isArray(a) || Array.isArray(b)) {
        return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((v, i) => equal(v, b[i]));
    }
    if (typeof a === "object" && typeof b === "object") {
        const keys = Object.keys(a);
        if (keys.length !== Object.keys(b).length) return false;
        return keys.every((key) => key in b && equal(a[key], b[key]));
    }
    return a === b;
}

/** True for the value that an unset attribute has: empty text, 0, false, empty collection. */
export function isZero(value: Value): boolean {
    if (value === null || value === undefined || value === "" || value === 0 || value === false) return true;
    if (value instanceof TfSet) return value.size === 0;
    if (Array.isArray(value)) return value.length === 0;
    return typeof value === "object" && Object.keys(value).length === 0;
}
