import { parseAllDocuments } from "yaml";
import type { Value } from "../value";

/** A text that is JSON, or YAML of more than one line, as a value. */
export function decode(s: string): { kind: "json" | "yaml"; value: Value } | undefined {
    const t = s.trim();
    const structured = (v: unknown): v is Value => typeof v === "object" && v !== null;
    try {
        const v: unknown = JSON.parse(t);
        return structured(v) ? { kind: "json", value: v } : undefined;
    } catch {
        if (!/[\r\n]/.test(t)) return undefined;
    }
    try {
        const docs = parseAllDocuments(t);
        const doc = Array.isArray(docs) ? docs[0] : undefined;
        if (!doc || docs.length !== 1 || doc.errors.length > 0) return undefined;
        const v: unknown = doc.toJS();
        return structured(v) ? { kind: "yaml", value: v } : undefined;
    } catch {
        return undefined;
    }
}
