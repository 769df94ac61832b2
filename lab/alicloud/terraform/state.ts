import { ConfigReader } from "./config-reader";
import { DiffReader } from "./diff-reader";
import type { Difference } from "./difference";
import { FlatReader, unknownValue, type Flat, type Reader } from "./readers";
import type { SchemaMap } from "./schema";
import { TfSet, type Value, type ValueMap } from "./value";

export interface State {
    readonly id: string;
    readonly attributes: Flat;
    /** Additional data kept beside the attributes, such as the timeouts. */
    readonly meta: Readonly<Record<string, unknown>> | undefined;
}

/** Key under which timeouts are kept in {@link State.meta}. */
export const timeoutsKey = "e2bfb730-ecaa-11e6-8f88-34363bc7c4c0";

/** Builds a state from attribute values, without the `null` values. */
export function stateFromValues(id: string, values: ValueMap, meta: State["meta"], schema: SchemaMap): State {
    const attributes: Flat = new Map();
    const reader = new ConfigReader(values, schema);
    for (const name of Object.keys(schema)) {
        if (values[name] === null) continue;
        flatten(attributes, name, reader.read([name]).value);
    }
    return { id, attributes, meta };
}

function flatten(flat: Flat, key: string, value: Value): void {
    if (value === null || value === undefined) return;
    if (Array.isArray(value)) {
        value.forEach((element, i) => flatten(flat, `${key}.${i}`, element));
        flat.set(`${key}.#`, String(value.length));
    } else if (value instanceof TfSet) {
        const list = value.list();
        for (const element of list) flatten(flat, `${key}.${value.codeOf(element)}`, element);
        flat.set(`${key}.#`, String(list.length));
    } else if (typeof value === "object") {
        for (const [name, element] of Object.entries(value)) flatten(flat, `${key}.${name}`, element);
        flat.set(`${key}.%`, String(Object.keys(value).length));
    } else {
        flat.set(key, String(value));
    }
}

/** The values of a state, or of a state with a difference laid over it (a plan). Unknown values are left out. */
export function valuesOf(state: State | undefined, difference: Difference | undefined, schema: SchemaMap): ValueMap {
    const flat: Flat = state?.attributes ?? new Map();
    let reader: Reader = new FlatReader(flat, schema);
    if (difference !== undefined) reader = new DiffReader(difference, reader, schema, true);
    const names = new Set<string>();
    for (const key of flat.keys()) names.add(key.split(".")[0]!);
    for (const key of difference?.attributes.keys() ?? []) names.add(key.split(".")[0]!);
    const values: ValueMap = {};
    for (const name of names) {
        const reading = reader.read([name]);
        if (
            reading.value !== null &&
            reading.value !== undefined &&
            !reading.unknown &&
            reading.value !== unknownValue
        ) {
            values[name] = reading.value;
        }
    }
    values["id"] ??= flat.get("id") ?? "";
    return values;
}
