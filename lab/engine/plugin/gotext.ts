import type { Value, ValueMap } from "../value";

/** Text of a value for error messages, in the Go form the real CLI prints. */
export function goText(v: Value | undefined): string {
    if (v === undefined || v === null) return "{<nil>}";
    if (Array.isArray(v)) return `{[${v.map(goText).join(" ")}]}`;
    if (typeof v === "object" && "element" in v) return "{&{{<secret>}}}";
    if (typeof v === "object") {
        const m = v as ValueMap;
        return `{map[${Object.keys(m)
            .sort()
            .map((k) => `${k}:${goText(m[k])}`)
            .join(" ")}]}`;
    }
    return `{${String(v)}}`;
}
