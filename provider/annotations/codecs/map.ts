/** Lists of `key=value` pairs, each key at most once. */

import { isDnsName } from "./dns";
import type { ValueType } from "./type";

type Pairs = Readonly<Record<string, string>>;

/** What is wrong with a key or a value; `undefined` if nothing is. */
type Check = (text: string) => string | undefined;

/**
 * `key=value` pairs separated by commas. Blanks around a pair are ignored.
 * More than one `=` in a pair is refused, since the Cloud Controller Manager would cut the value there.
 */
function pairsOf(example: string, checkKey: Check, checkValue: Check): ValueType<Pairs> {
    const allowed = `key=value pairs, separated by commas, for example "${example}"`;
    return {
        allowed,
        parse(text) {
            const pairs: [string, string][] = [];
            const problems: string[] = [];
            const keys = new Set<string>();
            for (const raw of text.split(",")) {
                const entry = raw.trim();
                const [key, value, ...more] = entry.split("=");
                if (key === undefined || value === undefined || more.length > 0) {
                    problems.push(`"${entry}" has ${more.length > 0 ? "more than one" : "no"} "="`);
                    continue;
                }
                if (keys.has(key)) problems.push(`"${key}" is there twice`);
                keys.add(key);
                for (const problem of [checkKey(key), checkValue(value)])
                    if (problem !== undefined) problems.push(`"${entry}": ${problem}`);
                pairs.push([key, value]);
            }
            if (problems.length > 0)
                return { problem: `must be ${allowed}: ${problems.join("; ")}`, remedy: `write ${allowed}` };
            return { value: Object.fromEntries(pairs) };
        },
        print(value) {
            if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
            const entries = Object.entries(value);
            if (entries.length === 0 || entries.some(([, text]) => typeof text !== "string")) return undefined;
            return entries.map(([key, text]) => `${key}=${text}`).join(",");
        },
    };
}

function checkTag(part: "key" | "value", limit: number): Check {
    return (text) => {
        if (part === "key" && text === "") return "the key is empty";
        if ([...text].length > limit) return `the ${part} has more than ${limit} characters`;
        if (/https?:\/\//.test(text)) return `the ${part} must not contain http:// or https://`;
        if (part === "key" && /^(?:aliyun|acs:)/.test(text))
            return `the key must not start with "aliyun" or "acs:", which the cloud keeps for itself`;
        return undefined;
    };
}

/** Tags of a cloud resource, at most 128 characters per key and value (Tag API, TagResources). */
export const tags = pairsOf("Key1=Value1,Key2=Value2", checkTag("key", 128), checkTag("value", 128));

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

function checkLabelKey(key: string): string | undefined {
    const slash = key.indexOf("/");
    const [prefix, name] = slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
    const valid = LABEL.test(name) && (prefix === undefined || isDnsName(prefix));
    return valid ? undefined : "the key is not a Kubernetes label key";
}

const checkLabelValue: Check = (value) =>
    value === "" || LABEL.test(value) ? undefined : "the value is not a Kubernetes label value";

/** Labels of nodes; all of them have to match. */
export const labels = pairsOf("failure-domain.beta.kubernetes.io/zone=cn-hangzhou-k", checkLabelKey, checkLabelValue);
