/** Differences between the desired and the live object, property by property. */
import { touches } from "./force-new";
import { equal, isMap, unknown, type Json, type JsonMap } from "./properties";

export type Kind = "ADD" | "ADD_REPLACE" | "DELETE" | "DELETE_REPLACE" | "UPDATE" | "UPDATE_REPLACE";

export interface PropertyChange {
    readonly kind: Kind;
    /** The change is one of the inputs rather than of the live object. */
    readonly inputDiff: boolean;
}

type Path = readonly (string | number)[];

/** Returns a JSON merge patch (RFC 7386) between two objects. Unknown values become `null` like removed values. */
export function mergePatch(before: JsonMap, after: JsonMap): JsonMap {
    const patch: JsonMap = {};
    for (const [name, value] of Object.entries(after)) {
        const old = before[name];
        if (value === unknown) patch[name] = null;
        else if (old === undefined) patch[name] = withoutUnknowns(value);
        else if (isMap(old) && isMap(value)) {
            const inner = mergePatch(old, value);
            if (Object.keys(inner).length > 0) patch[name] = inner;
        } else if (!equal(old, value)) patch[name] = withoutUnknowns(value);
    }
    for (const name of Object.keys(before)) if (!(name in after)) patch[name] = null;
    return patch;
}

function withoutUnknowns(value: Json): Json {
    if (value === unknown) return null;
    if (Array.isArray(value)) return value.map(withoutUnknowns);
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutUnknowns(inner)]));
}

/**
 * Returns the changes of a merge patch by property path. Lists travel as a whole in a patch, so their elements are
 * compared individually here. `forceNew` are the paths that cannot be changed in place.
 */
export function changesOf(live: JsonMap, desired: JsonMap, forceNew: readonly string[][]): Map<string, PropertyChange> {
    const changes = new Map<string, PropertyChange>();
    const add = (path: Path, value: Json, old: Json | undefined, input: Json | undefined, inList: boolean): void => {
        // Without a desired value there can only be a removal, and only of something that the program had set.
        if (input === undefined && (value !== null || old === undefined)) return;
        let kind: Kind;
        let inputDiff = false;
        if (value === null && input === unknown) kind = old === undefined ? "ADD" : "UPDATE";
        else if (value === null) [kind, inputDiff] = ["DELETE", true];
        else if (old === undefined) kind = "ADD";
        else if (isMap(value) && isMap(old)) return addMap(path, value, old, isMap(input) ? input : {}, inList);
        else if (Array.isArray(value) && Array.isArray(old))
            return addList(path, value, old, Array.isArray(input) ? input : []);
        else if (equal(value, old)) return;
        else kind = "UPDATE";
        if (touches(path, value, forceNew)) kind = `${kind as "ADD"}_REPLACE`;
        changes.set(pathText(path), { kind, inputDiff });
    };
    const addMap = (path: Path, patch: JsonMap, old: JsonMap, input: JsonMap, inList: boolean): void => {
        for (const [name, value] of Object.entries(patch)) add([...path, name], value, old[name], input[name], inList);
        if (!inList) return;
        for (const [name, value] of Object.entries(old))
            if (!(name in patch)) add([...path, name], null, value, input[name], inList);
    };
    const addList = (path: Path, patch: Json[], old: Json[], input: Json[]): void => {
        for (let i = 0; i < Math.max(patch.length, old.length); i++)
            add([...path, i], patch[i] ?? null, old[i], input[i], true);
    };
    addMap([], mergePatch(live, desired), live, desired, false);
    return changes;
}

export function pathText(path: Path): string {
    let text = "";
    for (const step of path) {
        if (typeof step === "number") text += `[${step}]`;
        else if (/[."[\]]/.test(step)) text += `["${step.replaceAll('"', '\\"')}"]`;
        else text += text === "" ? step : `.${step}`;
    }
    return text;
}

/** The steps of a property path such as `spec.ports[0].port` or `metadata.labels["a.b"]`. */
export function parsePath(text: string): (string | number)[] {
    const steps: (string | number)[] = [];
    for (const match of text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|([^.[\]]+)/g)) {
        if (match[1] !== undefined) steps.push(match[1].replaceAll('\\"', '"'));
        else if (match[2] !== undefined) steps.push(match[2] === "*" ? "*" : Number(match[2]));
        else steps.push(match[3]!);
    }
    return steps;
}

/** True when `path` is at or below `prefix`. */
export const isBelow = (path: Path, prefix: Path): boolean =>
    prefix.length <= path.length && prefix.every((step, i) => step === "*" || step === path[i]);
