import { schemaAt, type Schema, type SchemaMap } from "./schema";
import type { ValueMap } from "./value";
import { emptySet } from "./zero";
import type { Difference } from "./difference";
import { fromText, nothing, readList, readObject, typedMap, unknownValue, type Reader, type Reading } from "./readers";

/**
 * Reads a difference laid over its base. A preview sets `showUnknown`: unknown members of collections then appear as
 * the unknown value and make a set unknown as a whole. Otherwise they are read as zero values.
 */
export class DiffReader implements Reader {
    constructor(
        private readonly difference: Difference,
        private readonly source: Reader,
        private readonly schema: SchemaMap,
        private readonly showUnknown = false,
    ) {}

    read(path: readonly string[]): Reading {
        const schema = schemaAt(path, this.schema);
        if (schema === undefined) return nothing;
        switch (schema.type) {
            case "list":
                return readList(this.members(), path);
            case "map":
                return this.readMap(path, schema);
            case "set":
                return this.readSet(path, schema);
            case "object":
                return readObject(this.members(), path, schema.fields ?? {});
            default:
                return this.readPrimitive(path, schema);
        }
    }

    private members(): Reader {
        if (!this.showUnknown) return this;
        return {
            read: (path) => {
                const reading = this.read(path);
                return reading.unknown && path.at(-1) !== "#" ? { ...reading, value: unknownValue } : reading;
            },
        };
    }

    private readPrimitive(path: readonly string[], schema: Schema): Reading {
        const change = this.difference.attributes.get(path.join("."));
        if (change === undefined) return this.source.read(path);
        return { value: fromText(change.unknown ? "" : change.after, schema), exists: true, unknown: change.unknown };
    }

    private readMap(path: readonly string[], schema: Schema): Reading {
        const source = this.source.read(path);
        const map: ValueMap = { ...(source.value as ValueMap | undefined) };
        let exists = source.exists;
        const prefix = `${path.join(".")}.`;
        for (const [name, change] of this.difference.attributes) {
            if (!name.startsWith(prefix)) continue;
            const key = name.slice(prefix.length);
            if (key === "%") {
                if (this.showUnknown && change.unknown) return { value: map, exists: true, unknown: true };
                continue;
            }
            exists = true;
            if (change.removed) delete map[key];
            else map[key] = this.showUnknown && change.unknown ? unknownValue : change.after;
        }
        return { value: exists ? typedMap(map, schema) : undefined, exists, unknown: false };
    }

    private readSet(path: readonly string[], schema: Schema): Reading {
        const prefix = `${path.join(".")}.`;
        const set = emptySet(schema);
        const codes = new Set<string>();
        for (const [name, change] of this.difference.attributes) {
            if (change.removed || !name.startsWith(prefix) || name.endsWith("#")) continue;
            codes.add(name.slice(prefix.length).split(".")[0]!);
        }
        for (const code of codes) {
            if (this.showUnknown && (code.startsWith("~") || this.holdsUnknown(`${prefix}${code}`))) {
                return { value: set, exists: true, unknown: true };
            }
            set.add(this.read([...path, code]).value);
        }
        if (set.size > 0) return { value: set, exists: true, unknown: false };
        const count = this.difference.attributes.get(`${prefix}#`);
        if (count !== undefined) return { value: set, exists: true, unknown: this.showUnknown && count.unknown };
        const source = this.source.read(path);
        return source.exists ? source : { value: set, exists: false, unknown: false };
    }

    private holdsUnknown(key: string): boolean {
        for (const [name, change] of this.difference.attributes) {
            if (change.unknown && (name === key || name.startsWith(`${key}.`))) return true;
        }
        return false;
    }
}
