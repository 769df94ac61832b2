import { identifier, isDnsName } from "./text";
import { type Reading, refused, type ValueType } from "./type";

export interface EntryType<Entry> {
    /** Form of an entry in words, for example `protocol:port`. */
    readonly shape: string;
    readonly example: string;
    parse(text: string): Reading<Entry>;
    print(entry: unknown): string | undefined;
}

const notAll = (allowed: string, problems: readonly string[]) => ({
    problem: `must be ${allowed}: ${problems.join("; ")}`,
    remedy: `write ${allowed}`,
});

/**
 * Entries separated by commas, at least one. All entries are read, and all problems are reported at once.
 *
 * @param trim true if blanks around an entry are ignored, as the Cloud Controller Manager does for some annotations.
 */
export function commaSeparated<Entry>(type: EntryType<Entry>, trim = false): ValueType<readonly Entry[]> {
    const allowed = `${type.shape} entries, separated by commas, for example "${type.example}"`;
    return {
        allowed,
        parse(text) {
            const entries: Entry[] = [];
            const problems: string[] = [];
            for (const raw of text.split(",")) {
                const entry = trim ? raw.trim() : raw;
                const reading = readEntry(entry, type);
                if (refused(reading)) problems.push(`"${entry}" ${reading.problem}`);
                else entries.push(reading.value);
            }
            return problems.length > 0 ? notAll(allowed, problems) : { value: entries };
        },
        print(value) {
            if (!Array.isArray(value) || value.length === 0) return undefined;
            const entries = value.map((entry) => type.print(entry));
            return entries.includes(undefined) ? undefined : entries.join(",");
        },
    };
}

function readEntry<Entry>(entry: string, type: EntryType<Entry>): Reading<Entry> {
    if (entry === "") return { problem: "is empty", remedy: "remove the comma" };
    if (/\s/.test(entry)) return { problem: "contains a blank", remedy: "remove it" };
    return type.parse(entry);
}

export function identifiers(prefix: string, what: string, example: string): ValueType<readonly string[]> {
    const one = identifier(prefix, what);
    return commaSeparated<string>({ ...one, shape: one.allowed, example }, true);
}

/** Ids of cloud resources as one text, separated by commas without blanks. */
export function identifierList(prefix: string, what: string, example: string): ValueType<string> {
    const several = identifiers(prefix, what, example);
    return {
        allowed: `${identifier(prefix, what).allowed}, or several, separated by commas`,
        parse(value) {
            const reading = several.parse(value);
            return refused(reading) ? reading : { value: reading.value.join(",") };
        },
        print: (value) => (typeof value === "string" ? several.print(value.split(",")) : undefined),
    };
}

type Check = (text: string) => string | undefined;

/**
 * `key=value` pairs separated by commas, each key at most once. Blanks around a pair are ignored.
 * More than one `=` in a pair is refused, since the Cloud Controller Manager would cut the value there.
 */
function keyValues(example: string, checkKey: Check, checkValue: Check): ValueType<Readonly<Record<string, string>>> {
    const allowed = `key=value pairs, separated by commas, for example "${example}"`;
    return {
        allowed,
        parse(text) {
            const pairs = new Map<string, string>();
            const problems: string[] = [];
            for (const entry of text.split(",").map((raw) => raw.trim())) {
                const [key, value, ...more] = entry.split("=");
                if (key === undefined || value === undefined || more.length > 0) {
                    problems.push(`"${entry}" has ${more.length > 0 ? "more than one" : "no"} "="`);
                    continue;
                }
                if (pairs.has(key)) problems.push(`"${key}" is there twice`);
                for (const problem of [checkKey(key), checkValue(value)])
                    if (problem !== undefined) problems.push(`"${entry}": ${problem}`);
                pairs.set(key, value);
            }
            return problems.length > 0 ? notAll(allowed, problems) : { value: Object.fromEntries(pairs) };
        },
        print(value) {
            if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
            const entries = Object.entries(value);
            if (entries.length === 0 || entries.some(([, text]) => typeof text !== "string")) return undefined;
            return entries.map(([key, text]) => `${key}=${text}`).join(",");
        },
    };
}

function checkTag(part: "key" | "value"): Check {
    return (text) => {
        if (part === "key" && text === "") return "the key is empty";
        if ([...text].length > 128) return `the ${part} has more than 128 characters`;
        if (/https?:\/\//.test(text)) return `the ${part} must not contain http:// or https://`;
        if (part === "key" && /^(?:aliyun|acs:)/.test(text))
            return `the key must not start with "aliyun" or "acs:", which the cloud keeps for itself`;
        return undefined;
    };
}

/** Tags of a cloud resource, at most 128 characters per key and value. Source: Tag API, TagResources. */
export const tags = keyValues("Key1=Value1,Key2=Value2", checkTag("key"), checkTag("value"));

const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

function checkLabelKey(key: string): string | undefined {
    const slash = key.indexOf("/");
    const [prefix, name] = slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
    const valid = LABEL.test(name) && (prefix === undefined || isDnsName(prefix));
    return valid ? undefined : "the key is not a Kubernetes label key";
}

const checkLabelValue: Check = (value) =>
    value === "" || LABEL.test(value) ? undefined : "the value is not a Kubernetes label value";

export const labels = keyValues("failure-domain.beta.kubernetes.io/zone=cn-hangzhou-k", checkLabelKey, checkLabelValue);
