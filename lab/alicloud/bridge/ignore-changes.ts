import type { Difference } from "../terraform/difference";
import type { SchemaMap } from "../terraform/schema";
import { visitAll } from "./detailed-diff";
import type { PropertyMap } from "./properties";

/** Takes the changes at the given property paths, and below them, out of a difference. */
export function ignoreChanges(
    difference: Difference,
    paths: readonly string[],
    olds: PropertyMap,
    news: PropertyMap,
    fields: SchemaMap,
): void {
    if (paths.length === 0) return;
    const ignored = new Set<string>();
    const collect = (key: string, path: string): boolean => {
        if (paths.includes(path)) ignored.add(key);
        return true;
    };
    visitAll(olds, fields, collect);
    visitAll(news, fields, collect);
    for (const key of [...difference.attributes.keys()]) {
        if (ignored.has(key) || [...ignored].some((prefix) => key.startsWith(`${prefix}.`)))
            difference.attributes.delete(key);
    }
}
