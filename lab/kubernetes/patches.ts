import { parsePath } from "./diff";
import { isMap, type JsonMap } from "./properties";

/** Ignored properties are written as they are in the cluster. */
export function keepIgnored(object: JsonMap, live: JsonMap, ignored: readonly string[]): JsonMap {
    const result = structuredClone(object);
    for (const path of ignored.map(parsePath)) {
        let [target, source]: [unknown, unknown] = [result, live];
        for (const step of path.slice(0, -1)) {
            target = (target as Record<string | number, unknown> | undefined)?.[step];
            source = (source as Record<string | number, unknown> | undefined)?.[step];
        }
        const last = path.at(-1);
        const value = (source as Record<string | number, unknown> | undefined)?.[last!];
        if (last !== undefined && value !== undefined && typeof target === "object" && target !== null)
            (target as Record<string | number, unknown>)[last] = value;
    }
    return result;
}

/** A merge patch that also takes out what the program no longer wants. */
export function mergePatchFor(live: JsonMap, desired: JsonMap, before: JsonMap): JsonMap {
    const patch: JsonMap = {};
    for (const [name, value] of Object.entries(desired)) {
        const [old, earlier] = [live[name], before[name]];
        patch[name] = isMap(value) && isMap(old) ? mergePatchFor(old, value, isMap(earlier) ? earlier : {}) : value;
    }
    for (const name of Object.keys(before)) if (!(name in desired) && name in live) patch[name] = null;
    return patch;
}
