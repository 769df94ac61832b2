/** The engine's view of a difference: kinds of change by property path. */
import { containsUnknown } from "../terraform/config-reader";
import type { Change, Difference } from "../terraform/difference";
import { hashElement } from "../terraform/hash";
import { unknownValue } from "../terraform/readers";
import { isPrimitive, type Schema, type SchemaMap } from "../terraform/schema";
import type { Value } from "../terraform/value";
import { zeroOf } from "../terraform/zero";
import { elementToAttributes, withoutReserved } from "./inputs";
import { elementSchema, isSingle, terraformName } from "./names";
import { isMap, unknownProperty, type Property, type PropertyMap } from "./properties";

export type Kind = "ADD" | "ADD_REPLACE" | "DELETE" | "DELETE_REPLACE" | "UPDATE" | "UPDATE_REPLACE";

export interface DetailedDiff {
    readonly kinds: Map<string, Kind>;
    /** Collections whose number of members changes. They are shown only if there is a change at all. */
    readonly collections: Map<string, Kind>;
}

/** Returns false where the members of the value are not to be visited. */
type Visitor = (key: string, path: string, value: Property) => boolean;

export function detailedDiff(
    olds: PropertyMap,
    news: PropertyMap,
    difference: Difference,
    fields: SchemaMap,
): DetailedDiff {
    const result: DetailedDiff = { kinds: new Map(), collections: new Map() };
    for (const map of [olds, news]) visitAll(map, fields, markChanges(difference, result));
    visitAll(olds, fields, dropFalseAdditions(difference, result));
    return result;
}

/** Calls the visitor for every value, with its flat attribute name and its property path. */
export function visitAll(map: PropertyMap, fields: SchemaMap, visitor: Visitor): void {
    for (const [property, value] of Object.entries(map)) {
        const name = terraformName(property, fields);
        visit(name, property, value, fields[name], visitor);
    }
}

function visit(key: string, path: string, value: Property, schema: Schema | undefined, visitor: Visitor): void {
    const single = isSingle(schema);
    if (single) value = value === null || value === undefined ? [] : [value];
    if (!visitor(key, path, value)) return;
    const element = elementSchema(schema);
    if (Array.isArray(value)) {
        value.forEach((inner, i) => {
            const code = schema?.type === "set" ? setCode(inner, schema) : String(i);
            visit(`${key}.${code}`, single ? path : `${path}[${i}]`, inner, element, visitor);
        });
    } else if (isMap(value)) {
        for (const [name, inner] of Object.entries(value)) {
            const innerPath = /[."[\]]/.test(name) ? `${path}.["${name.replaceAll('"', '\\"')}"]` : `${path}.${name}`;
            const fields = schema?.fields;
            const innerName = fields === undefined ? name : terraformName(name, fields);
            visit(`${key}.${innerName}`, innerPath, inner, fields === undefined ? element : fields[innerName], visitor);
        }
    }
}

function setCode(element: Property, set: Schema): string {
    const value = complete(withoutReserved(elementToAttributes(element, set)), set);
    const code = Math.abs((set.hash ?? ((v) => hashElement(v, set)))(value));
    return value !== unknownValue && containsUnknown(value) ? `~${code}` : String(code);
}

/** An element as the configuration reader sees it: attributes that are not given have the zero value of their kind. */
function complete(element: Value, set: Schema): Value {
    if (set.fields === undefined || element === null || typeof element !== "object" || Array.isArray(element))
        return element;
    const zeros = Object.entries(set.fields).filter(([, field]) => isPrimitive(field.type));
    return { ...Object.fromEntries(zeros.map(([name, field]) => [name, zeroOf(field)])), ...element };
}

function markChanges(difference: Difference, result: DetailedDiff): Visitor {
    return (key, path, value) => {
        const found = changeAt(key, path, value, difference, result);
        if (found === "members") return true;
        if (found === undefined || found.before === found.after) return false;
        const list = key.includes(".") ? difference.attributes.get(`${key.split(".")[0]!}.#`) : undefined;
        const replaces = found.replaces || (list?.replaces ?? false);
        let kind: Kind;
        if (found.removed) kind = replaces ? "DELETE_REPLACE" : "DELETE";
        else if (!result.kinds.has(path)) kind = replaces ? "ADD_REPLACE" : "ADD";
        else kind = found.replaces ? "UPDATE_REPLACE" : "UPDATE";
        result.kinds.set(path, kind);
        return false;
    };
}

/** Removes additions of values that only the old properties held and that are to become known values. */
function dropFalseAdditions(difference: Difference, result: DetailedDiff): Visitor {
    return (key, path, value) => {
        const found = changeAt(key, path, value, difference, result);
        if (found === "members") return true;
        if (found === undefined || found.before === found.after) return false;
        const kind = result.kinds.get(path);
        if ((kind === "ADD" || kind === "ADD_REPLACE") && !found.replaces) result.kinds.delete(path);
        return false;
    };
}

function changeAt(
    key: string,
    path: string,
    value: Property,
    difference: Difference,
    result: DetailedDiff,
): Change | "members" | undefined {
    const count = Array.isArray(value) ? "#" : isMap(value) ? "%" : undefined;
    if (count !== undefined) {
        const change = difference.attributes.get(`${key}.${count}`);
        if (change?.unknown) return change;
        if (change !== undefined && change.before !== change.after) result.collections.set(path, "UPDATE");
        return "members";
    }
    if (value === unknownProperty) {
        return (
            difference.attributes.get(key) ??
            difference.attributes.get(`${key}.#`) ??
            difference.attributes.get(`${key}.%`)
        );
    }
    return difference.attributes.get(key);
}
