/**
 * Reading attributes out of the flat text form (`servers.#`, `servers.123.port`) and out of a
 * difference laid over it.
 */
import { isPrimitive, schemaAt, type Schema, type SchemaMap } from "./schema";
import { emptySet, zeroOf } from "./zero";
import type { TfSet, Value, ValueMap } from "./value";

/** Attributes in flat text form. */
export type Flat = Map<string, string>;

/** Stands for a value that is not known before the update. */
export const unknownValue = "74D93920-ED26-11E3-AC10-0800200C9A66";

export interface Reading {
    value?: Value;
    /** There is a value, even if it is the zero value. */
    exists: boolean;
    /** The value is not known yet. */
    unknown: boolean;
}

export const nothing: Reading = { exists: false, unknown: false };

export interface Reader {
    read(path: readonly string[]): Reading;
}

/** Turns the text form of a primitive into a value, and throws on a text that does not fit. */
export function fromText(text: string, schema: Schema): Value {
    switch (schema.type) {
        case "bool":
            if (text === "") return false;
            if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
            if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return false;
            throw new Error(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
        case "int":
        case "float": {
            if (text === "") return 0;
            const number = Number(text);
            if (Number.isNaN(number) || (schema.type === "int" && !Number.isInteger(number))) {
                throw new Error(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
            }
            return number;
        }
        default:
            return text;
    }
}

export function toText(value: Value): string {
    if (value === null || value === undefined) return "";
    return String(value);
}

/** Reads a list as `<path>.#` elements of any reader. */
export function readList(reader: Reader, path: readonly string[]): Reading {
    const count = reader.read([...path, "#"]);
    const length = count.exists ? Number(count.value) : 0;
    if (count.unknown || length === 0) return { value: [], exists: count.exists, unknown: count.unknown };
    const value: Value[] = [];
    for (let i = 0; i < length; i++) {
        const element = reader.read([...path, String(i)]);
        value.push(element.exists ? element.value : null);
    }
    return { value, exists: true, unknown: false };
}

export function readObject(reader: Reader, path: readonly string[], fields: SchemaMap): Reading {
    const value: ValueMap = {};
    let exists = false;
    for (const [name, field] of Object.entries(fields)) {
        const reading = reader.read([...path, name]);
        exists ||= reading.exists;
        value[name] = reading.value ?? (field.type === "set" ? emptySet(field) : zeroOf(field));
    }
    return { value, exists, unknown: false };
}

/** Map values of typed maps arrive as text. */
export function typedMap(map: ValueMap, schema: Schema): ValueMap {
    const elem = schema.elem;
    if (elem === undefined || elem.type === "string" || !isPrimitive(elem.type)) return map;
    return Object.fromEntries(
        Object.entries(map).map(([key, value]) => [
            key,
            typeof value === "string" && value !== unknownValue ? fromText(value, elem) : value,
        ]),
    );
}

/** Reads the flat form. */
export class FlatReader implements Reader {
    constructor(
        private readonly flat: Flat,
        private readonly schema: SchemaMap,
    ) {}

    read(path: readonly string[]): Reading {
        const schema = schemaAt(path, this.schema);
        if (schema === undefined) return nothing;
        switch (schema.type) {
            case "list":
                return readList(this, path);
            case "map":
                return this.readMap(path.join("."), schema);
            case "set":
                return this.readSet(path, schema);
            case "object":
                return readObject(this, path, schema.fields ?? {});
            default: {
                const text = this.flat.get(path.join("."));
                if (text === undefined) return nothing;
                return { value: fromText(text, schema), exists: true, unknown: false };
            }
        }
    }

    private readMap(key: string, schema: Schema): Reading {
        const map: ValueMap = {};
        let exists = this.flat.get(key) === "";
        for (const [name, text] of this.flat) {
            if (!name.startsWith(`${key}.`)) continue;
            exists = true;
            const inner = name.slice(key.length + 1);
            if (inner !== "%" && inner !== "#") map[inner] = text;
        }
        return { value: exists ? typedMap(map, schema) : undefined, exists, unknown: false };
    }

    private readSet(path: readonly string[], schema: Schema): Reading {
        const key = path.join(".");
        const count = this.flat.get(`${key}.#`);
        const set: TfSet = emptySet(schema);
        if (count === undefined || Number(count) === 0)
            return { value: set, exists: count !== undefined, unknown: false };
        const codes = new Set<string>();
        for (const name of this.flat.keys()) {
            if (!name.startsWith(`${key}.`) || name.startsWith(`${key}.#`)) continue;
            codes.add(name.slice(key.length + 1).split(".")[0]!);
        }
        for (const code of codes) set.add(this.read([...path, code]).value);
        return { value: set, exists: true, unknown: false };
    }
}

/** Reads from several layers, of which the last with a value wins. */
export class LayeredReader implements Reader {
    constructor(private readonly layers: readonly (Reader | undefined)[]) {}

    read(path: readonly string[]): Reading {
        let result = nothing;
        for (const layer of this.layers) {
            const reading = layer?.read(path);
            if (reading?.exists) result = reading;
        }
        return result;
    }
}
