import { isPrimitive, schemasAlong, type Schema, type SchemaMap } from "./schema";
import { emptySet } from "./zero";
import {
    fromText,
    nothing,
    readList,
    readObject,
    toText,
    typedMap,
    unknownValue,
    type Reader,
    type Reading,
} from "./readers";
import { TfSet, type Value, type ValueMap } from "./value";

/** Returns the value at a dotted path of a configuration. `found` is false when the path leads nowhere. */
export function lookUp(config: ValueMap, path: readonly string[]): { value: Value; found: boolean } {
    let current: Value = config;
    for (let i = 0; i < path.length; i++) {
        const step = path[i]!;
        if (Array.isArray(current)) {
            if (step === "#")
                return { value: current.includes(unknownValue) ? unknownValue : current.length, found: true };
            const index = Number(step);
            if (!Number.isInteger(index) || index < 0 || index >= current.length)
                return { value: undefined, found: false };
            current = current[index];
        } else if (current !== null && typeof current === "object" && !(current instanceof TfSet)) {
            // A key may itself contain dots, as tag keys do.
            const whole = path.slice(i).join(".");
            if (whole in current) return { value: current[whole], found: true };
            if (!(step in current)) return { value: undefined, found: false };
            current = current[step];
        } else if (current === unknownValue) {
            return { value: unknownValue, found: true };
        } else {
            return { value: undefined, found: false };
        }
    }
    return { value: current, found: current !== undefined };
}

export function containsUnknown(value: Value): boolean {
    if (value === unknownValue) return true;
    if (Array.isArray(value)) return value.some(containsUnknown);
    if (value !== null && typeof value === "object" && !(value instanceof TfSet))
        return Object.values(value).some(containsUnknown);
    return false;
}

/** Reads what a program asked for, with the schema's default values filled in. */
export class ConfigReader implements Reader {
    private readonly positions = new Map<string, Map<string, number>>();

    constructor(
        private readonly config: ValueMap,
        private readonly schema: SchemaMap,
    ) {}

    read(path: readonly string[]): Reading {
        return this.readPlain(this.withPositions([...path]));
    }

    /** Set elements are addressed by code from outside, but lie in list order in a configuration. */
    private withPositions(path: string[]): string[] {
        const schemas = schemasAlong(path, this.schema);
        for (let i = 0; i < schemas.length - 1; i++) {
            if (schemas[i]!.type !== "set" || path[i + 1] === "#") continue;
            const key = path.slice(0, i + 1).join(".");
            if (!this.positions.has(key)) this.readSet(path.slice(0, i + 1), schemas[i]!);
            const position = this.positions.get(key)?.get(path[i + 1]!);
            path[i + 1] = position === undefined ? "absent" : String(position);
        }
        return path;
    }

    private readPlain(path: readonly string[]): Reading {
        if (path.includes("absent")) return nothing;
        const schemas = schemasAlong(path, this.schema);
        const schema = schemas.at(-1);
        if (schema === undefined) return nothing;
        const plain: Reader = { read: (inner) => this.readPlain(inner) };
        if (isPrimitive(schema.type)) return this.readPrimitive(path, schema);
        switch (schema.type) {
            case "list":
                return readList(plain, path);
            case "set":
                return this.readSet(path, schema);
            case "map":
                return this.readMap(path, schema);
            default:
                return readObject(plain, path, schema.fields ?? {});
        }
    }

    private readPrimitive(path: readonly string[], schema: Schema): Reading {
        const { value, found } = lookUp(this.config, path);
        const given = found ? value : schema.default;
        if (!found && given === undefined) return nothing;
        if (containsUnknown(given))
            return { value: schema.type === "string" ? unknownValue : undefined, exists: true, unknown: true };
        return { value: fromText(toText(given), schema), exists: true, unknown: false };
    }

    private readMap(path: readonly string[], schema: Schema): Reading {
        const { value, found } = lookUp(this.config, path);
        if (!found) return nothing;
        if (containsUnknown(value)) return { value: undefined, exists: true, unknown: true };
        return { value: typedMap({ ...(value as ValueMap) }, schema), exists: true, unknown: false };
    }

    private readSet(path: readonly string[], schema: Schema): Reading {
        const list = readList({ read: (inner) => this.readPlain(inner) }, path);
        const set = emptySet(schema);
        if (!list.exists) return { value: set, exists: false, unknown: false };
        if (list.unknown) return { value: set, exists: true, unknown: true };
        const positions = new Map<string, number>();
        (list.value as Value[]).forEach((element, i) => {
            const given = lookUp(this.config, [...path, String(i)]).value;
            const unknown = schema.fields !== undefined && containsUnknown(given);
            positions.set(set.add(element, unknown), i);
        });
        this.positions.set(path.join("."), positions);
        return { value: set, exists: true, unknown: false };
    }
}
