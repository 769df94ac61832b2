import { isMapping } from "../diagnostics";

/** Parses a body that is a JSON object; undefined for anything else. */
export function parseJsonObject(body: string): Readonly<Record<string, unknown>> | undefined {
    try {
        const value: unknown = JSON.parse(body);
        return isMapping(value) ? value : undefined;
    } catch {
        return undefined;
    }
}
