/** Turns properties into attribute values, filling in defaults where asked to. */
import { unknownValue } from "../terraform/readers";
import type { Schema, SchemaMap } from "../terraform/schema";
import type { Value, ValueMap } from "../terraform/value";
import { defaultsKey, isMap, isReserved, unknownProperty, type Property, type PropertyMap } from "./properties";
import { elementSchema, isSingle, pulumiName, terraformName } from "./names";
import { matchElements } from "./match";

export interface InputOptions {
    /** Fill in automatic names, and defaults that are carried over. */
    readonly defaults?: boolean;
    /** Fill in the schema's defaults as well. */
    readonly schemaDefaults?: boolean;
    /** Makes the automatic name. It is absent where a type has none. */
    readonly autoName?: () => string;
}

export function toAttributes(
    olds: PropertyMap | undefined,
    news: PropertyMap,
    fields: SchemaMap,
    options: InputOptions = {},
): ValueMap {
    return new Conversion(options).object(olds, news, fields, true);
}

/** Without the reserved keys that a conversion with defaults leaves behind. */
export function withoutReserved(value: Value): Value {
    if (Array.isArray(value)) return value.map(withoutReserved);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
        Object.entries(value as ValueMap)
            .filter(([name]) => !isReserved(name))
            .map(([name, inner]) => [name, withoutReserved(inner)]),
    );
}

/** Returns an element of a set as attribute values. */
export const elementToAttributes = (element: Property, set: Schema): Value =>
    new Conversion({}).value("", undefined, element, elementSchema(set));

class Conversion {
    constructor(private readonly options: InputOptions) {}

    object(olds: PropertyMap | undefined, news: PropertyMap, fields: SchemaMap, isTop = false): ValueMap {
        const result: ValueMap = {};
        for (const [property, value] of Object.entries(news)) {
            if (isReserved(property)) continue;
            const name = terraformName(property, fields);
            result[name] = this.value(name, olds?.[property], value, fields[name]);
        }
        if (this.options.defaults) this.fillIn(result, olds ?? {}, fields, isTop);
        return result;
    }

    value(name: string, old: Property, value: Property, schema: Schema | undefined): Value {
        if (schema?.type === "list" || schema?.type === "set") {
            old = asArray(old, schema);
            value = asArray(value, schema);
        }
        if (value === null || value === undefined) return null;
        if (value === unknownProperty) return unknownFor(schema);
        if (typeof value === "boolean") return schema?.type === "string" ? String(value) : value;
        if (typeof value === "number") {
            if (schema?.type === "string") return String(value);
            return schema?.type === "float" ? value : Math.trunc(value);
        }
        if (typeof value === "string") return schema?.type === "int" ? parseWhole(name, value) : value;
        if (Array.isArray(value)) return this.array(name, Array.isArray(old) ? old : [], value, schema);
        const oldMap = isMap(old) ? old : undefined;
        if (schema?.fields !== undefined) return this.object(oldMap, value, schema.fields);
        const element = elementSchema(schema);
        return Object.fromEntries(
            Object.entries(value).map(([key, inner]) => [key, this.value(key, oldMap?.[key], inner, element)]),
        );
    }

    private array(name: string, olds: Property[], values: Property[], schema: Schema | undefined): Value[] {
        const matched = schema?.type === "set" ? matchElements(values, olds) : undefined;
        const element = elementSchema(schema);
        return values.map((value, i) => {
            const position = matched === undefined ? i : matched.get(i);
            return this.value(`${name}[${i}]`, position === undefined ? undefined : olds[position], value, element);
        });
    }

    private fillIn(result: ValueMap, olds: PropertyMap, fields: SchemaMap, isTop: boolean): void {
        const oldDefaults = olds[defaultsKey];
        const carriesOver = (property: string): boolean =>
            !Array.isArray(oldDefaults) || oldDefaults.includes(property);
        const filled: string[] = [];
        const blocked = new Set<string>();
        for (const name of Object.keys(result))
            for (const other of fields[name]?.conflictsWith ?? []) blocked.add(other);
        const fits = (name: string, schema: Schema): boolean =>
            schema.removed === undefined &&
            !(schema.deprecated !== undefined && !schema.required) &&
            !blocked.has(name) &&
            !(name in result);

        const named = fields["name"];
        if (isTop && this.options.autoName !== undefined && named?.type === "string" && fits("name", named)) {
            const old = olds["name"];
            result["name"] = typeof old === "string" ? old : this.options.autoName();
            filled.push("name");
            for (const other of named.conflictsWith ?? []) blocked.add(other);
        }
        if (this.options.schemaDefaults) {
            for (const [name, schema] of Object.entries(fields)) {
                if (!fits(name, schema) || schema.default === undefined) continue;
                if ((schema.conflictsWith ?? []).some((other) => fields[other]?.default !== undefined)) continue;
                const property = pulumiName(name, schema);
                const old = olds[property];
                const carried =
                    old !== undefined && carriesOver(property) ? this.value(name, undefined, old, schema) : undefined;
                const value = carried ?? (schema.default || undefined);
                if (value === undefined) continue;
                result[name] = value;
                filled.push(property);
            }
        }
        result[defaultsKey] = filled.sort();
    }
}

function asArray(value: Property, schema: Schema): Property {
    if (value === null || value === undefined) return isSingle(schema) && value === null ? [] : value;
    if (value === unknownProperty || Array.isArray(value)) return value;
    return [value];
}

function parseWhole(name: string, text: string): number {
    if (!/^[+-]?\d+$/.test(text))
        throw new Error(`${name}: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
    return Number(text);
}

function unknownFor(schema: Schema | undefined): Value {
    if (schema?.type !== "list" && schema?.type !== "set") return unknownValue;
    const element: Value =
        schema.fields === undefined
            ? unknownValue
            : Object.fromEntries(
                  Object.entries(schema.fields)
                      .filter(([, field]) => field.required)
                      .map(([name, field]) => [name, unknownFor(field)]),
              );
    return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () => element);
}
