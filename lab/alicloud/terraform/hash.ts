import { crc32 } from "node:zlib";
import type { Schema, SchemaMap } from "./schema";
import { TfSet, type Value, type ValueMap } from "./value";

/** CRC-32 of a text: the code by which set elements are told apart. */
export const hashText = (text: string): number => crc32(Buffer.from(text, "utf8"));

/** Code of a set element under the rule that every attribute a user may give counts. */
export function hashElement(element: Value, set: Schema): number {
    if (set.fields !== undefined) return hashText(serializeObject(element, set.fields));
    return hashText(serialize(element, set.elem ?? { type: "string" }));
}

function serializeObject(value: Value, fields: SchemaMap): string {
    if (value === null || value === undefined) return "";
    const object = value as ValueMap;
    let text = "";
    for (const name of Object.keys(fields).sort()) {
        const field = fields[name]!;
        if (field.required || field.optional) text += `${name}:${serialize(object[name], field)}`;
    }
    return text;
}

function serialize(value: Value, schema: Schema): string {
    if (value === null || value === undefined) return ";";
    return `${serializeBody(value, schema)};`;
}

function serializeBody(value: Value, schema: Schema): string {
    switch (schema.type) {
        case "bool":
            return value ? "1" : "0";
        case "list":
            return `(${(value as Value[]).map((v) => serializeMember(v, schema)).join("")})`;
        case "set":
            return `{${(value as TfSet)
                .list()
                .map((v) => serializeMember(v, schema))
                .join("")}}`;
        case "map": {
            const map = value as ValueMap;
            const parts = Object.keys(map)
                .sort()
                .filter((key) => map[key] !== null && map[key] !== undefined);
            return `[${parts.map((key) => `${key}:${String(map[key])};`).join("")}]`;
        }
        default:
            return String(value);
    }
}

function serializeMember(value: Value, parent: Schema): string {
    if (parent.fields !== undefined) return `<${serializeObject(value, parent.fields)}>;`;
    return serialize(value, parent.elem ?? { type: "string" });
}
