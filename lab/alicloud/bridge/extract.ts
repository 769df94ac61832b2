/** Derives the inputs from a read: the program's inputs with actual values, or the inputs of an import. */
import type { Schema, SchemaMap } from "../terraform/schema";
import { matchElements } from "./match";
import { elementSchema, isSingle, pulumiName, terraformName } from "./names";
import { defaultsKey, isMap, sameProperty, type Property, type PropertyMap } from "./properties";

/** Returns the old inputs with actual values. A default whose value differs is no longer listed as a default. */
export function refreshedInputs(oldInputs: PropertyMap, outputs: PropertyMap, fields: SchemaMap): PropertyMap {
    return refreshObject(oldInputs, outputs, fields).value as PropertyMap;
}

interface Refreshed {
    readonly value: Property;
    /** The value is what it was, so it may still be a default. */
    readonly unchanged: boolean;
}

function refresh(old: Property, actual: Property, schema: Schema | undefined): Refreshed {
    const inner = isSingle(schema) ? elementSchema(schema) : schema;
    if (Array.isArray(old) && Array.isArray(actual)) return refreshArray(old, actual, inner);
    if (isMap(old) && isMap(actual)) {
        return inner?.type === "object"
            ? refreshObject(old, actual, inner.fields ?? {})
            : refreshMap(old, actual, inner);
    }
    return { value: actual, unchanged: sameProperty(old, actual) };
}

function refreshArray(old: Property[], actual: Property[], schema: Schema | undefined): Refreshed {
    const element = elementSchema(schema);
    const matched = schema?.type === "set" ? matchElements(old, actual) : undefined;
    const result: Property[] = [];
    let unchanged = true;
    for (let i = 0; i < old.length; i++) {
        const position = matched === undefined ? i : matched.get(i);
        if (position === undefined || position >= actual.length) {
            unchanged = false;
            if (matched === undefined) break;
            continue;
        }
        const refreshed = refresh(old[i], actual[position], element);
        unchanged &&= refreshed.unchanged;
        result.push(refreshed.value);
    }
    return { value: result, unchanged };
}

function refreshMap(old: PropertyMap, actual: PropertyMap, schema: Schema | undefined): Refreshed {
    const element = elementSchema(schema);
    const result: PropertyMap = {};
    let unchanged = true;
    for (const [name, value] of Object.entries(old)) {
        if (!(name in actual)) {
            unchanged = false;
            continue;
        }
        const refreshed = refresh(value, actual[name], element);
        result[name] = refreshed.value;
        unchanged &&= refreshed.unchanged;
    }
    return { value: result, unchanged };
}

function refreshObject(old: PropertyMap, actual: PropertyMap, fields: SchemaMap): Refreshed {
    const listed = old[defaultsKey];
    const defaults = Array.isArray(listed) ? new Set(listed as string[]) : undefined;
    const result: PropertyMap = {};
    let unchanged = true;
    for (const [name, value] of Object.entries(old)) {
        let same = false;
        if (name in actual) {
            const refreshed = refresh(value, actual[name], fields[terraformName(name, fields)]);
            result[name] = refreshed.value;
            same = refreshed.unchanged;
        }
        if (!same) {
            unchanged = false;
            defaults?.delete(name);
        }
    }
    // A list that has become empty is left out, as the real plugin does on a refresh.
    if (defaults !== undefined && defaults.size > 0) result[defaultsKey] = [...defaults].sort();
    return { value: result, unchanged: unchanged || defaults === undefined };
}

/** The inputs from which an existing object could have come: no outputs, no defaults, no zero values. */
export function importedInputs(outputs: PropertyMap, fields: SchemaMap): PropertyMap {
    const result: PropertyMap = {};
    for (const [property, value] of Object.entries(outputs)) {
        const schema = fields[terraformName(property, fields)];
        if (schema === undefined || (!schema.optional && !schema.required)) continue;
        const input = importedInput(value, schema);
        if (!schema.required && isDefaultOrZero(input, schema)) continue;
        result[property] = input;
    }
    result[defaultsKey] = [];
    return result;
}

function importedInput(value: Property, schema: Schema | undefined): Property {
    if (isSingle(schema)) {
        const element = elementSchema(schema);
        if (element?.type === "object") return isMap(value) ? importedInputs(value, element.fields ?? {}) : value;
        return importedInput(value, element);
    }
    const element = elementSchema(schema);
    if (Array.isArray(value)) return value.map((inner) => importedInput(inner, element));
    if (!isMap(value)) return value;
    if (schema?.type === "object") return importedInputs(value, schema.fields ?? {});
    const map: PropertyMap = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, importedInput(inner, element)]),
    );
    map[defaultsKey] = [];
    return map;
}

function isDefaultOrZero(value: Property, schema: Schema): boolean {
    if (schema.default !== undefined) return schema.keepsDefault !== true && schema.default === value;
    if (value === null || value === undefined || value === "" || value === 0 || value === false) return true;
    if (Array.isArray(value)) return value.length === 0;
    return isMap(value) && Object.keys(value).every((name) => name === defaultsKey);
}

/** Drops inputs that exclude each other, keeping the alphabetically first. */
export function withoutConflicts(inputs: PropertyMap, fields: SchemaMap): PropertyMap {
    const kept = new Set<string>();
    const result: PropertyMap = { ...inputs };
    for (const property of Object.keys(inputs).sort()) {
        const schema = fields[terraformName(property, fields)];
        const conflicting = (schema?.conflictsWith ?? []).some((other) => kept.has(pulumiName(other, fields[other])));
        if (conflicting) delete result[property];
        else kept.add(property);
    }
    return result;
}
