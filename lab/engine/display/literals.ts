import { goNumber, OutputValue, Secret, SIGNATURE_KEY, Unknown, type Value, type ValueMap } from "../value";

/** Signatures of the maps that stand for files and folders. */
const ASSET = "c44067f5952c0a294b673a41bacd8c17";
const ARCHIVE = "0def7320c3a5731c473e5ecbe6d01bc7";
/** Longest line and most lines of a text that are shown when output is cut. */
const [MAX_LINE, MAX_LINES] = [150, 3];

/** True for values that take one line. */
export function isPrimitive(v: Value): boolean {
    return (
        v === null || typeof v !== "object" || v instanceof Secret || v instanceof Unknown || v instanceof OutputValue
    );
}

/** Text of an asset or an archive; nothing for other maps. */
export function blobText(v: ValueMap): string | undefined {
    const signature = v[SIGNATURE_KEY];
    if (signature !== ASSET && signature !== ARCHIVE) return undefined;
    const kind = signature === ASSET ? "asset" : "archive";
    const hash = String(v["hash"] ?? "").slice(0, 7);
    if (typeof v["path"] === "string" && v["path"] !== "") return `${kind}(file:${hash}) { ${v["path"]} }`;
    if (typeof v["uri"] === "string" && v["uri"] !== "") return `${kind}(uri:${hash}) { ${v["uri"]} }`;
    return `${kind}(text:${hash}) { }`;
}

/** Numbers as property diffs show them: whole ones never have an exponent. */
export function numberText(n: number): string {
    if (!Number.isInteger(n)) return goNumber(n);
    return Math.abs(n) < 1e21 ? String(n) : BigInt(n).toString();
}

/** The beginning of a text, for output that is cut. */
export function truncated(s: string): string {
    const lines = s.split("\n");
    const shown = lines.slice(0, MAX_LINES).map((l) => (l.length > MAX_LINE ? `${l.slice(0, MAX_LINE)}...` : l));
    return lines.length > MAX_LINES ? `${shown.join("\n")}\n...` : shown.join("\n");
}
