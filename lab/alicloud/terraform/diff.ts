/** Compares a state with a configuration, attribute by attribute. */
import { equal } from "./equal";
import { ResourceData } from "./data";
import type { Change, Difference } from "./difference";
import { toText, unknownValue } from "./readers";
import { isPrimitive, type Schema, type SchemaMap } from "./schema";
import { emptySet } from "./zero";
import type { State } from "./state";
import { TfSet, type Value, type ValueMap } from "./value";

type Changes = Map<string, Change>;

/** The difference between `state` (none for a creation) and `config`. */
export function diffOf(schema: SchemaMap, state: State | undefined, config: ValueMap): Difference {
    const data = new ResourceData(schema, { state, config });
    const attributes: Changes = new Map();
    for (const [name, attribute] of Object.entries(schema)) diffAttribute(name, attribute, attributes, data, false);
    if (state !== undefined) {
        for (const [name, change] of attributes) change.before = state.attributes.get(name) ?? "";
    }
    return { attributes };
}

function diffAttribute(key: string, schema: Schema, into: Changes, data: ResourceData, all: boolean): void {
    const found: Changes = new Map();
    if (isPrimitive(schema.type)) diffPrimitive(key, schema, found, data, all);
    else if (schema.type === "list") diffList(key, schema, found, data, all);
    else if (schema.type === "map") diffMap(key, schema, found, data, all);
    else diffSet(key, schema, found, data, all);
    for (const [name, change] of found) {
        if (schema.suppress?.(name, change.before, change.after, data)) {
            // Inside a set the element is needed as a whole, so a suppressed change stays as a change to nothing.
            if (all) into.set(name, { ...plain, before: change.before, after: change.before });
            continue;
        }
        into.set(name, change);
    }
}

const plain = { unknown: false, removed: false, replaces: false };

function record(
    key: string,
    schema: Schema,
    into: Changes,
    change: Partial<Change> & { before: string; after: string },
): void {
    const result = finish(schema, { ...plain, ...change });
    if (result !== undefined) into.set(key, result);
}

/** Applies an attribute's flags to its change, and returns `undefined` when nothing is left of it. */
function finish(schema: Schema, change: Change): Change | undefined {
    if (schema.type === "bool") {
        change.before = asFlag(change.before);
        change.after = asFlag(change.after);
    }
    if (schema.computed && !change.removed && change.after === "") change.unknown = true;
    if (schema.forceNew) change.replaces = change.before !== change.after || change.unknown;
    if (change.removed) return change;
    if (schema.computed && change.before !== "" && change.after === "") return undefined;
    return change;
}

const asFlag = (text: string): string => (text === "0" ? "false" : text === "1" ? "true" : text);

function diffPrimitive(key: string, schema: Schema, into: Changes, data: ResourceData, all: boolean): void {
    const { before, after, unknown } = data.compare(key.split("."));
    const oldText = toText(before);
    const newText =
        unknown && schema.type === "string"
            ? unknownValue
            : after === undefined && before !== undefined
              ? zeroText(schema)
              : toText(after);
    const same = schema.type === "bool" ? asFlag(oldText) === asFlag(newText) : oldText === newText;
    if (same && !all && !unknown && (oldText !== "" || data.id !== "" || !schema.computed)) return;
    const removed = before !== undefined && after === undefined && !unknown;
    if (removed && schema.computed) return;
    record(key, schema, into, { before: oldText, after: newText, removed, unknown });
}

/** The text of an attribute that was taken out of the program: that of its zero value. */
function zeroText(schema: Schema): string {
    if (schema.type === "bool") return "false";
    return schema.type === "string" ? "" : "0";
}

const countOf = (schema: Schema): Schema => ({
    type: "int",
    computed: schema.computed ?? false,
    forceNew: schema.forceNew ?? false,
});
const elementOf = (schema: Schema): Schema => ({
    ...(schema.elem ?? { type: "string" }),
    forceNew: schema.forceNew ?? false,
});

function diffList(key: string, schema: Schema, into: Changes, data: ResourceData, all: boolean): void {
    const { before, after: configured, unknown } = data.compare(key.split("."));
    const after = unknown ? undefined : configured;
    if (before !== undefined && after === undefined && !unknown && schema.computed) return;
    const [oldList, newList] = [asList(before), asList(after)];
    if (!all && after !== undefined && equal(oldList, newList)) return;
    if (unknown) {
        into.set(`${key}.#`, {
            before: String(oldList.length),
            after: "",
            unknown: true,
            removed: false,
            replaces: schema.forceNew ?? false,
        });
        return;
    }
    const computed = oldList.length === 0 && newList.length === 0 && (schema.computed ?? false);
    if (oldList.length !== newList.length || computed || all) {
        record(`${key}.#`, countOf(schema), into, {
            before: computed ? "" : String(oldList.length),
            after: computed ? "" : String(newList.length),
        });
    }
    for (let i = 0; i < Math.max(oldList.length, newList.length); i++) {
        if (schema.fields === undefined) diffAttribute(`${key}.${i}`, elementOf(schema), into, data, all);
        else
            for (const [name, field] of Object.entries(schema.fields))
                diffAttribute(`${key}.${i}.${name}`, field, into, data, all);
    }
}

function asList(value: Value): Value[] {
    if (value instanceof TfSet) return value.list();
    return (value as Value[] | undefined) ?? [];
}

function diffMap(key: string, schema: Schema, into: Changes, data: ResourceData, all: boolean): void {
    const { before, after, unknown } = data.compare(key.split("."));
    const oldMap = asTexts(before);
    const newMap = unknown ? new Map<string, string>() : asTexts(after);
    const computed = oldMap.size === 0 && newMap.size === 0 && (schema.computed ?? false) && before === undefined;
    const changed = oldMap.size !== newMap.size && !(oldMap.size !== 0 && newMap.size === 0 && schema.computed);
    if (changed || computed || unknown) {
        const open = computed || unknown;
        record(`${key}.%`, { ...countOf(schema), computed: (schema.computed ?? false) || unknown }, into, {
            before: open ? "" : String(oldMap.size),
            after: open ? "" : String(newMap.size),
        });
    }
    if (after === undefined && schema.computed) return;
    for (const [name, value] of newMap) {
        const old = oldMap.get(name);
        oldMap.delete(name);
        if (old === value && !all) continue;
        record(`${key}.${name}`, schema, into, { before: old ?? "", after: value });
    }
    for (const [name, value] of oldMap)
        record(`${key}.${name}`, schema, into, { before: value, after: "", removed: true });
}

function asTexts(value: Value): Map<string, string> {
    return new Map(
        Object.entries((value as ValueMap | undefined) ?? {}).map(([name, element]) => [name, toText(element)]),
    );
}

function diffSet(key: string, schema: Schema, into: Changes, data: ResourceData, all: boolean): void {
    const { before, after: configured, unknown } = data.compare(key.split("."));
    const after = unknown ? undefined : configured;
    if (before !== undefined && after === undefined && !unknown && schema.computed) return;
    const oldSet = (before as TfSet | undefined) ?? emptySet(schema);
    const newSet = (after as TfSet | undefined) ?? emptySet(schema);
    if (!all && after !== undefined && equal(oldSet.codes(), newSet.codes())) return;
    if (unknown || (schema.computed && after === undefined)) {
        const count = data.present(`${key}.#`);
        if (count === 0 && after === undefined && !unknown) return;
        record(`${key}.#`, countOf(schema), into, {
            before: count === undefined || count === 0 ? "" : String(count),
            after: "",
            unknown: true,
        });
        return;
    }
    if (oldSet.size !== newSet.size || all) {
        record(`${key}.#`, countOf(schema), into, { before: String(oldSet.size), after: String(newSet.size) });
    }
    for (const code of [...oldSet.difference(newSet).codes(), ...newSet.codes()]) {
        if (schema.fields === undefined) diffAttribute(`${key}.${code}`, elementOf(schema), into, data, true);
        else
            for (const [name, field] of Object.entries(schema.fields))
                diffAttribute(`${key}.${code}.${name}`, field, into, data, true);
    }
}
