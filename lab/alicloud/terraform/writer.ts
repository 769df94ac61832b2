import { schemaAt, type Schema, type SchemaMap } from "./schema";
import { emptySet } from "./zero";
import { FlatReader, type Flat } from "./readers";
import { TfSet, type Value, type ValueMap } from "./value";

/** Writes values into the flat text form. A value of the wrong kind throws and leaves the attribute unchanged. */
export class FlatWriter {
    readonly flat: Flat = new Map();

    constructor(private readonly schema: SchemaMap) {}

    write(path: readonly string[], value: Value): void {
        const schema = schemaAt(path, this.schema);
        if (schema === undefined) throw new Error(`Invalid address to set: ${JSON.stringify(path)}`);
        this.set(path, value, schema);
    }

    private set(path: readonly string[], value: Value, schema: Schema): void {
        switch (schema.type) {
            case "list":
                return this.setList(path, value);
            case "map":
                return this.setMap(path, value);
            case "set":
                return this.setSet(path, value, schema);
            case "object":
                return this.setObject(path, value);
            default:
                return this.setPrimitive(path, value, schema);
        }
    }

    private setPrimitive(path: readonly string[], value: Value, schema: Schema): void {
        const key = path.join(".");
        if (value === null || value === undefined) {
            this.flat.set(key, "");
            return;
        }
        // Numbers in answers of the newer SDK may be written as texts.
        if (schema.type === "string" && typeof value === "number") value = String(value);
        const desired = schema.type === "bool" ? "boolean" : schema.type === "string" ? "string" : "number";
        if (typeof value !== desired)
            throw new Error(`${key}: '' expected type '${schema.type}', got unconvertible type`);
        this.flat.set(key, schema.type === "int" ? String(Math.trunc(value as number)) : String(value));
    }

    private setList(path: readonly string[], value: Value): void {
        const list = value instanceof TfSet ? value.list() : asList(value);
        this.clear(path);
        list.forEach((element, i) => this.write([...path, String(i)], element));
        this.flat.set(`${path.join(".")}.#`, String(list.length));
    }

    private setMap(path: readonly string[], value: Value): void {
        const key = path.join(".");
        if (value === null || value === undefined) {
            this.flat.set(key, "");
            return;
        }
        if (typeof value !== "object" || Array.isArray(value) || value instanceof TfSet)
            throw new Error(`${key}: must be a map`);
        this.clear(path);
        this.flat.delete(key);
        for (const [name, element] of Object.entries(value)) this.write([...path, name], element);
        this.flat.set(`${key}.%`, String(Object.keys(value).length));
    }

    private setObject(path: readonly string[], value: Value): void {
        if (value === null || value === undefined) return;
        for (const [name, element] of Object.entries(value as ValueMap)) this.write([...path, name], element);
    }

    private setSet(path: readonly string[], value: Value, schema: Schema): void {
        const key = path.join(".");
        if (value === null || value === undefined) {
            this.flat.set(`${key}.#`, "0");
            return;
        }
        const set = value instanceof TfSet ? value : this.toSet(path, asList(value), schema);
        this.clear(path);
        for (const [code, element] of set.entries()) this.write([...path, code], element);
        this.flat.set(`${key}.#`, String(set.size));
    }

    /** Elements pass through the flat form first, so that missing attributes become zero values before hashing. */
    private toSet(path: readonly string[], list: Value[], schema: Schema): TfSet {
        const name = path.at(-1)!;
        const asListSchema: SchemaMap = { [name]: { ...schema, type: "list" } };
        const writer = new FlatWriter(asListSchema);
        writer.write([name], list);
        const reader = new FlatReader(writer.flat, asListSchema);
        const set = emptySet(schema);
        list.forEach((_, i) => set.add(reader.read([name, String(i)]).value));
        return set;
    }

    private clear(path: readonly string[]): void {
        const prefix = `${path.join(".")}.`;
        for (const key of [...this.flat.keys()]) if (key.startsWith(prefix)) this.flat.delete(key);
    }
}

function asList(value: Value): Value[] {
    if (value === null || value === undefined) return [];
    return Array.isArray(value) ? value : [value];
}
