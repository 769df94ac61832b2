import { isMapping } from "../diagnostics";

/** The JSON object that a body holds; undefined for anything else. */
export function parseJsonObject(body: string): Readonly<Record<string, unknown>> | undefined {
    try {
        const value: unknown = JSON.parse(body);
        return isMapping(value) ? value : undefined;
    } catch {
        return undefined;
    }
}
