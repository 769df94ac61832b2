import { goNumber, OutputValue, Secret, Unknown, type Value } from "../value";

/** Text of a value for error messages, in the Go form the real CLI prints. */
export function goText(v: Value | undefined): string {
    if (v === undefined || v === null) return "{<nil>}";
    if (Array.isArray(v)) return `{[${v.map(goText).join(" ")}]}`;
    if (v instanceof Unknown || (v instanceof OutputValue && v.element === undefined)) return "output<string>{}";
    if (v instanceof Secret || v instanceof OutputValue) return "{&{{<secret>}}}";
    if (typeof v === "number") return `{${goNumber(v)}}`;
    if (typeof v === "object") {
        const m = v;
        return `{map[${Object.keys(m)
            .sort()
            .map((k) => `${k}:${goText(m[k])}`)
            .join(" ")}]}`;
    }
    return `{${String(v)}}`;
}
