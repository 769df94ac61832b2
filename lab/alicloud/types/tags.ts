import type { ResourceData } from "../terraform/data";
import type { Value, ValueMap } from "../terraform/value";
import { objectOf } from "./values";

/** Tags that the cloud sets for itself and that never show up. */
export const isOwnedByCloud = (key: string): boolean => /^(aliyun|acs:|http:\/\/|https:\/\/)/.test(key);

/** A list of tags, in any of the spellings of the APIs, as a map. */
export function tagMap(tags: unknown): ValueMap {
    const map: ValueMap = {};
    for (const tag of Array.isArray(tags) ? tags : []) {
        const fields = objectOf(tag);
        for (const [key, value] of [
            ["TagKey", "TagValue"],
            ["Key", "Value"],
        ] as const) {
            if (!(key in fields)) continue;
            const name = String(fields[key]);
            if (!isOwnedByCloud(name)) map[name] = fields[value] as Value;
            break;
        }
    }
    return map;
}

/** All planned tags, and the keys of those that went or got another value. */
export function tagChanges(data: ResourceData): { desired: [string, string][]; removed: string[] } {
    const [before, after] = data.change("tags") as [ValueMap, ValueMap];
    const removed = Object.keys(before)
        .filter((key) => !(key in after) || after[key] !== before[key])
        .sort();
    return {
        desired: Object.entries(after)
            .map(([key, value]): [string, string] => [key, String(value)])
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        removed,
    };
}

/** `Tag.1.Key`, `Tag.1.Value`, … */
export const tagArguments = (tags: readonly [string, string][]): Record<string, string> =>
    Object.fromEntries(
        tags.flatMap(([key, value], i) => [
            [`Tag.${i + 1}.Key`, key],
            [`Tag.${i + 1}.Value`, value],
        ]),
    );

export const tagKeyArguments = (keys: readonly string[]): Record<string, string> =>
    Object.fromEntries(keys.map((key, i) => [`TagKey.${i + 1}`, key]));
