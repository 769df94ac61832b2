import type { Json } from "./corpus";

/** Returns the differences between two JSON values as lines of text, each with its path. */
export function differences(expected: Json | undefined, actual: Json | undefined, path = ""): string[] {
    if (expected === undefined && actual === undefined) return [];
    if (Array.isArray(expected) && Array.isArray(actual)) {
        const lines: string[] = [];
        for (let i = 0; i < Math.max(expected.length, actual.length); i++)
            lines.push(...differences(expected[i], actual[i], `${path}[${i}]`));
        return lines;
    }
    if (isMap(expected) && isMap(actual)) {
        const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort();
        return names.flatMap((name) =>
            differences(expected[name], actual[name], path === "" ? name : `${path}.${name}`),
        );
    }
    if (expected === actual) return [];
    return [`${path === "" ? "value" : path}: expected ${show(expected)}, got ${show(actual)}`];
}

const isMap = (value: Json | undefined): value is { [name: string]: Json } =>
    typeof value === "object" && value !== null && !Array.isArray(value);
const show = (value: Json | undefined): string => (value === undefined ? "nothing" : JSON.stringify(value));

/** Takes what differs from run to run out of a text. */
export function normalizeText(text: string): string {
    return text
        .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
        .replace(/AccessKeyId=[^&"\s]*/g, "AccessKeyId=<ak>")
        .replace(/SignatureNonce=[^&"\s]*/g, "SignatureNonce=<nonce>")
        .replace(/Signature=[^&"\s]*/g, "Signature=<signature>")
        .replace(/Timestamp=[^&"\s]*/g, "Timestamp=<timestamp>")
        .replace(/Date:\[[^\]]*\]/g, "Date:[<date>]")
        .replace(/dial tcp: lookup [^\n]*/g, "<name lookup failed>")
        .replace(/ <stack>$/, "");
}

export function normalize(value: Json): Json {
    if (typeof value === "string") return normalizeText(value);
    if (Array.isArray(value)) return value.map(normalize);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normalize(inner)]));
}

/** Numbers tags by key, as the corpus does. Their order has no meaning. */
export function numberTagsByKey(params: Record<string, string>): Record<string, string> {
    const result: Record<string, string> = {};
    const tags: [string, string | undefined][] = [];
    const keys: string[] = [];
    for (const [name, value] of Object.entries(params)) {
        const tag = /^Tag\.(\d+)\.Key$/.exec(name);
        if (tag !== null) tags.push([value, params[`Tag.${tag[1]}.Value`]]);
        else if (/^TagKey\.\d+$/.test(name)) keys.push(value);
        else if (!/^Tag\.\d+\.Value$/.test(name)) result[name] = value;
    }
    const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
    tags.sort(([a], [b]) => order(a, b)).forEach(([key, value], i) => {
        result[`Tag.${i + 1}.Key`] = key;
        if (value !== undefined) result[`Tag.${i + 1}.Value`] = value;
    });
    keys.sort(order).forEach((key, i) => {
        result[`TagKey.${i + 1}`] = key;
    });
    return result;
}
