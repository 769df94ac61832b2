/** The steps of a preview as plain data: what a report is made of. Reading the engine's document into them is the command's work. */

import { isMapping } from "../diagnostics";

/** Stands where a preview has no value: it is computed during the update, or it is a secret. */
export const UNKNOWN: unique symbol = Symbol("not known before the update");

/** A resource before or after the update. */
export interface ResourceState {
    /** Absent while the resource is not made. */
    readonly id?: string;
    readonly inputs: Readonly<Record<string, unknown>>;
    /** Empty where the preview does not say them. */
    readonly outputs: Readonly<Record<string, unknown>>;
    readonly protect: boolean;
    /** The object stays in the cloud when the resource leaves the stack. */
    readonly retained: boolean;
    /** URN of the parent. */
    readonly parent?: string;
    /** URNs of the resources that each input comes from. */
    readonly origins: Readonly<Record<string, readonly string[]>>;
}

/** One step of the engine. */
export interface Step {
    /** `same`, `create`, `update`, `replace`, `create-replacement`, `delete`, … */
    readonly op: string;
    readonly urn: string;
    readonly type: string;
    /** Name of the resource in the program. */
    readonly name: string;
    readonly before?: ResourceState;
    readonly after?: ResourceState;
    /** Inputs because of which the engine acts. */
    readonly reasons: readonly string[];
}

/** What happens to an object. */
export const CHANGES = ["same", "create", "update", "replace", "delete", "import", "keep"] as const;

/**
 * What happens to an object: `import` takes it over as it is; `keep` means that it leaves the stack and stays in the cloud.
 */
export type Change = (typeof CHANGES)[number];

/** All that a preview says of one resource, its steps joined. */
export interface Resource {
    readonly urn: string;
    readonly type: string;
    readonly name: string;
    readonly change: Change;
    /** Undefined for an object that is new. */
    readonly before: ResourceState | undefined;
    /** Undefined for an object that leaves the stack. */
    readonly after: ResourceState | undefined;
    readonly reasons: readonly string[];
}

/** Operations by which the engine replaces an object. */
const REPLACING = /^(?:replace|(?:create|delete|discard|import|read)-replace(?:ment|d)|delete-replaced)$/;

/** Joins the steps of each resource, in the order of the preview. */
export function joinSteps(steps: readonly Step[]): Resource[] {
    const byUrn = groupBy(steps, ({ urn }) => urn);
    return [...byUrn.values()].flatMap((all) => {
        // With --refresh the program's step begins at what the refresh has found, and not at what was recorded before.
        const planned = all.filter(({ op }) => op !== "refresh");
        const own = planned.length > 0 ? planned : all;
        const [first] = own;
        if (first === undefined) return [];
        const change = changeOf(own);
        const gone = change === "delete" || change === "keep";
        const before = own.find((step) => step.before !== undefined)?.before;
        const after = gone ? undefined : own.findLast((step) => step.after !== undefined)?.after;
        return [
            {
                urn: first.urn,
                type: first.type,
                name: first.name,
                change,
                before: change === "create" || change === "import" ? undefined : (before ?? after),
                after,
                reasons: [...new Set(own.flatMap(({ reasons }) => reasons))],
            },
        ];
    });
}

function changeOf(steps: readonly Step[]): Change {
    const ops = steps.map(({ op }) => op);
    if (ops.some((op) => REPLACING.test(op))) return "replace";
    if (ops.includes("delete") && ops.some((op) => op === "create")) return "replace";
    if (ops.includes("delete")) return steps.some(({ before }) => before?.retained === true) ? "keep" : "delete";
    if (ops.some((op) => op === "forget" || op === "discard")) return "keep";
    if (ops.includes("import")) return "import";
    if (ops.includes("create")) return "create";
    return ops.includes("update") ? "update" : "same";
}

/** A text among properties; undefined where it is absent, no text or unknown. */
export function textOf(properties: Readonly<Record<string, unknown>> | undefined, key: string): string | undefined {
    const value = valueOf(properties, key);
    return typeof value === "string" && value !== "" ? value : undefined;
}

/** A number among properties, also where it is written as text; undefined where it is none. */
export function numberOf(properties: Readonly<Record<string, unknown>> | undefined, key: string): number | undefined {
    const value = valueOf(properties, key);
    const number = typeof value === "string" && value !== "" ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** An object among properties; undefined where it is none. */
export function recordOf(
    properties: Readonly<Record<string, unknown>> | undefined,
    key: string,
): Readonly<Record<string, unknown>> | undefined {
    const value = valueOf(properties, key);
    return isMapping(value) ? value : undefined;
}

/** Objects in a list among properties. */
export function recordsOf(
    properties: Readonly<Record<string, unknown>> | undefined,
    key: string,
): readonly Readonly<Record<string, unknown>>[] {
    const value = valueOf(properties, key);
    return Array.isArray(value) ? value.filter(isMapping) : [];
}

/** A property of the object itself, never of its prototype. */
function valueOf(properties: Readonly<Record<string, unknown>> | undefined, key: string): unknown {
    return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** The items of a list by a key, in their order. */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
    const groups = new Map<Key, Item[]>();
    for (const item of items) {
        const key = keyOf(item);
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [item]);
        else group.push(item);
    }
    return groups;
}
