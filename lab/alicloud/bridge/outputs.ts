/** Turns attribute values into properties. */
import { unknownValue } from "../terraform/readers";
import type { Schema, SchemaMap } from "../terraform/schema";
import { TfSet, type Value, type ValueMap } from "../terraform/value";
import { elementSchema, isSingle, pulumiName } from "./names";
import { unknownProperty, type Property, type PropertyMap } from "./properties";

export function toProperties(values: ValueMap, fields: SchemaMap): PropertyMap {
    const result: PropertyMap = {};
    for (const [name, value] of Object.entries(values)) {
        // Reserved names keep their spelling.
        result[name.startsWith("__") ? name : pulumiName(name, fields[name])] = toProperty(value, fields[name]);
    }
    return result;
}

function toProperty(value: Value, schema: Schema | undefined): Property {
    if (value === null || value === undefined) return null;
    if (value instanceof TfSet) value = value.list();
    if (typeof value === "string") return value === unknownValue ? unknownProperty : coerce(value, schema);
    if (typeof value !== "object") return value;
    const element = elementSchema(schema);
    if (Array.isArray(value)) {
        const list = value.map((inner) => toProperty(inner, element));
        return isSingle(schema) ? (list[0] ?? null) : list;
    }
    if (schema?.fields !== undefined) return toProperties(value, schema.fields);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toProperty(inner, element)]));
}

function coerce(text: string, schema: Schema | undefined): Property {
    switch (schema?.type) {
        case "int":
        case "float":
            return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
        case "bool":
            if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
            return ["0", "f", "F", "false", "FALSE", "False"].includes(text) ? false : text;
        default:
            return text;
    }
}
