/** Checks a configuration against a schema: texts of errors and warnings, as Terraform words them. */
import { containsUnknown, lookUp } from "./config-reader";
import { unknownValue } from "./readers";
import { isPrimitive, type Schema, type SchemaMap } from "./schema";
import type { Value, ValueMap } from "./value";

export interface Findings {
    readonly errors: string[];
    readonly warnings: string[];
}

export function validate(config: ValueMap, schema: SchemaMap): Findings {
    const findings: Findings = { errors: [], warnings: [] };
    validateObject("", config, schema, config, findings);
    return findings;
}

function validateObject(key: string, value: Value, fields: SchemaMap, config: ValueMap, findings: Findings): void {
    if (value === null || value === undefined || value === unknownValue) return;
    if (typeof value !== "object" || Array.isArray(value)) {
        findings.errors.push(`${key}: expected object, got ${goKind(value)}`);
        return;
    }
    for (const [name, field] of Object.entries(fields))
        validateAttribute(key === "" ? name : `${key}.${name}`, field, config, findings);
    for (const name of Object.keys(value)) {
        if (!(name in fields) && name !== "timeouts") findings.errors.push(`${key}: invalid or unknown key: ${name}`);
    }
}

function validateAttribute(key: string, schema: Schema, config: ValueMap, findings: Findings): void {
    const { value, found } = lookUp(config, key.split("."));
    const alternatives = [...new Set([...(schema.atLeastOneOf ?? []), key])].sort();
    if (schema.atLeastOneOf !== undefined && !alternatives.some((name) => lookUp(config, name.split(".")).found)) {
        findings.errors.push(`"${key}": one of \`${alternatives.join(",")}\` must be specified`);
        return;
    }
    if (!found) {
        if (schema.required) findings.errors.push(`"${key}": required field is not set`);
        return;
    }
    if (!schema.required && !schema.optional) {
        findings.errors.push(`"${key}": this field cannot be set`);
        return;
    }
    if (containsUnknown(value)) {
        if (schema.deprecated !== undefined) findings.warnings.push(deprecation(key, schema.deprecated));
        return;
    }
    for (const other of schema.conflictsWith ?? []) {
        const conflicting = lookUp(config, [other]);
        if (!conflicting.found || conflicting.value === unknownValue) continue;
        findings.errors.push(`"${key}": conflicts with ${other}`);
        return;
    }
    validateValue(key, value, schema, config, findings);
}

const deprecation = (key: string, text: string): string => `"${key}": [DEPRECATED] ${text}`;

function validateValue(key: string, value: Value, schema: Schema, config: ValueMap, findings: Findings): void {
    if (isPrimitive(schema.type)) validatePrimitive(key, value, schema, findings);
    else if (schema.type === "map") validateMap(key, value, findings);
    else validateList(key, value, schema, config, findings);
    if (schema.deprecated !== undefined) findings.warnings.push(deprecation(key, schema.deprecated));
    if (schema.removed !== undefined) findings.errors.push(`"${key}": [REMOVED] ${schema.removed}`);
}

function validateList(key: string, value: Value, schema: Schema, config: ValueMap, findings: Findings): void {
    if (value === null || value === undefined || value === unknownValue) return;
    if (!Array.isArray(value)) {
        findings.errors.push(`${key}: should be a list`);
        return;
    }
    if (schema.maxItems !== undefined && value.length > schema.maxItems) {
        findings.errors.push(
            `${key}: attribute supports ${schema.maxItems} item maximum, config has ${value.length} declared`,
        );
        return;
    }
    if (schema.minItems !== undefined && value.length < schema.minItems) {
        findings.errors.push(
            `${key}: attribute supports ${schema.minItems} item as a minimum, config has ${value.length} declared`,
        );
        return;
    }
    value.forEach((element, i) => {
        if (schema.fields !== undefined) validateObject(`${key}.${i}`, element, schema.fields, config, findings);
        else validateValue(`${key}.${i}`, element, schema.elem ?? { type: "string" }, config, findings);
    });
}

function validateMap(key: string, value: Value, findings: Findings): void {
    if (value === null || value === undefined || value === unknownValue) return;
    if (typeof value !== "object" || Array.isArray(value)) {
        findings.errors.push(`${key}: should be a map`);
        return;
    }
    for (const [name, element] of Object.entries(value)) {
        if (element !== null && typeof element === "object")
            findings.errors.push(`${key} (${name}): '' expected type 'string', got unconvertible type`);
    }
}

function validatePrimitive(key: string, value: Value, schema: Schema, findings: Findings): void {
    if (value === null || value === undefined || value === unknownValue) return;
    if (Array.isArray(value)) {
        findings.errors.push(`${key} must be a single value, not a list`);
        return;
    }
    if (typeof value === "object") {
        findings.errors.push(`${key} must be a single value, not a map`);
        return;
    }
    const decoded = decode(value, schema);
    if (decoded === undefined) {
        findings.errors.push(`${key}: cannot parse '' as ${schema.type}: ${parseFailure(String(value), schema)}`);
        return;
    }
    findings.errors.push(...(schema.validate?.(decoded, key) ?? []));
}

/** Reads the value as the desired kind, as freely as Terraform does. It returns `undefined` when that is impossible. */
function decode(value: string | number | boolean, schema: Schema): Value {
    switch (schema.type) {
        case "bool":
            if (typeof value === "number") return value !== 0;
            if (typeof value === "boolean") return value;
            if (["1", "t", "T", "true", "TRUE", "True"].includes(value)) return true;
            return ["", "0", "f", "F", "false", "FALSE", "False"].includes(value) ? false : undefined;
        case "int":
        case "float":
            if (typeof value === "boolean") return value ? 1 : 0;
            if (value === "") return 0;
            return Number.isNaN(Number(value)) ? undefined : Number(value);
        default:
            if (typeof value === "boolean") return value ? "1" : "0";
            return String(value);
    }
}

function parseFailure(text: string, schema: Schema): string {
    const parser =
        schema.type === "bool"
            ? "strconv.ParseBool"
            : schema.type === "int"
              ? "strconv.ParseInt"
              : "strconv.ParseFloat";
    return `${parser}: parsing ${JSON.stringify(text)}: invalid syntax`;
}

function goKind(value: Value): string {
    if (Array.isArray(value)) return "slice";
    return typeof value === "boolean" ? "bool" : typeof value === "number" ? "int" : "string";
}
