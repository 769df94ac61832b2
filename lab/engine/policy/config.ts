import { readFileSync } from "node:fs";
import { isObject, type Value, type ValueMap } from "../value";

/** How seriously a violation is taken. */
export type PolicyLevel = "advisory" | "mandatory" | "remediate" | "disabled";

/** What a pack says about one of its policies. */
export interface PolicySchema {
    name: string;
    level: PolicyLevel;
    type: "resource" | "stack";
    /** JSON schema of each setting, or undefined if the policy has no settings. */
    properties: ValueMap | undefined;
    required: readonly string[];
}

/** Settings of one policy as a user gives them. */
export interface PolicySettings {
    level?: PolicyLevel;
    properties: ValueMap;
}

const LEVELS: readonly string[] = ["advisory", "mandatory", "remediate", "disabled"];

function level(policy: string, text: unknown): PolicyLevel {
    if (typeof text === "string" && LEVELS.includes(text)) return text as PolicyLevel;
    throw new Error(`parsing enforcement level for "${policy}": "${String(text)}" is not a valid enforcement level`);
}

/**
 * Reads a settings file: per policy a level, or an object of settings that may hold `enforcementLevel`; "all" is for all.
 * @throws Error for unreadable files and unknown levels
 */
export function loadPolicyConfig(file: string): Map<string, PolicySettings> {
    const json = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const out = new Map<string, PolicySettings>();
    for (const [name, v] of Object.entries(json)) {
        if (typeof v === "string") out.set(name, { level: level(name, v), properties: {} });
        else if (v !== null && typeof v === "object" && !Array.isArray(v)) {
            const { enforcementLevel, ...properties } = v as Record<string, unknown>;
            out.set(name, {
                ...(enforcementLevel === undefined ? {} : { level: level(name, enforcementLevel) }),
                properties: properties as ValueMap,
            });
        } else throw new Error(`${JSON.stringify(v)} is not a valid policy config value; must be a string or object`);
    }
    return out;
}

/** Settings for every policy of a pack, schema defaults filled in, and everything that is wrong with them. */
export function reconcile(
    policies: readonly PolicySchema[],
    given: ReadonlyMap<string, PolicySettings>,
): { config: Map<string, { level: PolicyLevel; properties: ValueMap }>; errors: string[] } {
    const config = new Map<string, { level: PolicyLevel; properties: ValueMap }>();
    const errors: string[] = [];
    const all = given.get("all");
    for (const p of policies) {
        const mine = given.get(p.name);
        const properties: ValueMap = { ...mine?.properties };
        for (const [k, s] of Object.entries(p.properties ?? {})) {
            if (!(k in properties) && isObject(s) && "default" in s) properties[k] = s["default"];
        }
        for (const k of p.required) if (!(k in properties)) errors.push(`${p.name}: ${k} is required`);
        for (const [k, s] of Object.entries(p.properties ?? {})) {
            if (k in properties && isObject(s))
                for (const e of schemaErrors(k, properties[k] as Value, s)) errors.push(`${p.name}: ${e}`);
        }
        config.set(p.name, { level: mine?.level ?? all?.level ?? p.level, properties });
    }
    return { config, errors: errors.sort() };
}

function typeOf(v: Value): string {
    if (v === null) return "null";
    if (Array.isArray(v)) return "array";
    if (typeof v === "number") return Number.isInteger(v) ? "integer" : "number";
    return typeof v;
}

/** What is wrong with a value; the part of JSON schema that packs use. */
function schemaErrors(path: string, v: Value, s: ValueMap): string[] {
    const errors: string[] = [];
    const types = Array.isArray(s["type"]) ? s["type"].map(String) : typeof s["type"] === "string" ? [s["type"]] : [];
    const actual = typeOf(v);
    if (types.length > 0 && !types.includes(actual) && !(actual === "integer" && types.includes("number"))) {
        return [`${path}: Invalid type. Expected: ${types.join("/")}, given: ${actual}`];
    }
    if (Array.isArray(s["enum"]) && !s["enum"].some((e) => JSON.stringify(e) === JSON.stringify(v))) {
        errors.push(
            `${path}: ${path} must be one of the following: ${s["enum"].map((e) => JSON.stringify(e)).join(", ")}`,
        );
    }
    const num = (k: string) => (typeof s[k] === "number" ? s[k] : undefined);
    if (typeof v === "number") {
        const [min, max, above, below, step] = [
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ].map(num);
        if (min !== undefined && v < min) errors.push(`${path}: Must be greater than or equal to ${min}`);
        if (max !== undefined && v > max) errors.push(`${path}: Must be less than or equal to ${max}`);
        if (above !== undefined && v <= above) errors.push(`${path}: Must be greater than ${above}`);
        if (below !== undefined && v >= below) errors.push(`${path}: Must be less than ${below}`);
        if (step !== undefined && v % step !== 0) errors.push(`${path}: Must be a multiple of ${step}`);
    }
    if (typeof v === "string") {
        const [min, max] = ["minLength", "maxLength"].map(num);
        if (min !== undefined && v.length < min)
            errors.push(`${path}: String length must be greater than or equal to ${min}`);
        if (max !== undefined && v.length > max)
            errors.push(`${path}: String length must be less than or equal to ${max}`);
        if (typeof s["pattern"] === "string" && !new RegExp(s["pattern"]).test(v))
            errors.push(`${path}: Does not match pattern '${s["pattern"]}'`);
    }
    if (Array.isArray(v)) {
        const [min, max] = ["minItems", "maxItems"].map(num);
        if (min !== undefined && v.length < min) errors.push(`${path}: Array must have at least ${min} items`);
        if (max !== undefined && v.length > max) errors.push(`${path}: Array must have at most ${max} items`);
        const items = s["items"];
        if (isObject(items)) v.forEach((e, i) => errors.push(...schemaErrors(`${path}.${i}`, e, items)));
    }
    if (isObject(v)) {
        const inner = isObject(s["properties"]) ? s["properties"] : {};
        for (const r of Array.isArray(s["required"]) ? s["required"] : [])
            if (!(String(r) in v)) errors.push(`${path}: ${String(r)} is required`);
        for (const [k, sub] of Object.entries(inner))
            if (k in v && isObject(sub)) errors.push(...schemaErrors(`${path}.${k}`, v[k] as Value, sub));
    }
    return errors;
}
