import { isDeepStrictEqual } from "node:util";
import { isMapping, valueAt } from "../../provider/diagnostics";
import { settle, Unknown } from "../../policies/subjects";
import { hideSecrets, partsOf, type PreviewDigest, type PreviewState } from "./preview";

export type Properties = Readonly<Record<string, unknown>>;

/** State of a resource, with {@link Unknown} for unknown values and secrets. */
export type ResourceState = Omit<PreviewState, "type" | "provider">;

export interface Step {
    /** `same`, `create`, `update`, `replace`, `create-replacement`, `delete`, … */
    readonly op: string;
    readonly urn: string;
    readonly type: string;
    readonly name: string;
    /** Absent for a new object. */
    readonly before?: ResourceState | undefined;
    /** Absent for an object that leaves the stack. */
    readonly after?: ResourceState | undefined;
    /** Inputs that cause the step. */
    readonly reasons: readonly string[];
}

/** Returns the steps of a preview, without secrets. */
export const stepsOf = ({ steps }: PreviewDigest): Step[] =>
    steps.map(({ op, urn, oldState, newState, diffReasons: reasons }) => {
        const { types, name } = partsOf(urn);
        const type = (newState ?? oldState)?.type ?? types.split("$").at(-1) ?? "";
        return { op, urn, type, name, reasons, before: stateOf(oldState), after: stateOf(newState) };
    });

const stateOf = (state: PreviewState | null | undefined): ResourceState | undefined =>
    state ? { ...state, inputs: plain(state.inputs), outputs: plain(state.outputs) } : undefined;

const plain = (properties: Properties) => settle(hideSecrets(properties)) as Record<string, unknown>;

export const isRecord = (value: unknown): value is Properties => isMapping(value) && !(value instanceof Unknown);

export const CHANGES = ["same", "create", "update", "replace", "delete", "import", "keep"] as const;

/** Change of an object: `import` takes it over as it is, `keep` leaves it in the cloud, without the stack. */
export type Change = (typeof CHANGES)[number];

/** Resource of a preview, its steps joined. */
export interface Resource extends Omit<Step, "op"> {
    readonly change: Change;
}

/** Returns the change of a part of an object that is changed in place. */
export function changeBetween(before: unknown, after: unknown): Change {
    if (before === undefined) return "create";
    if (after === undefined) return "delete";
    return isDeepStrictEqual(before, after) ? "same" : "update";
}

/** True if an object that was there stays in the cloud without the stack, also if another replaces it. */
export const staysBehind = ({ change, before }: Pick<Resource, "change" | "before">): boolean =>
    change === "keep" || (change === "replace" && before?.retainOnDelete === true);

/** True if an object is no longer in the stack after the update. */
export const leavesStack = ({ change }: Pick<Resource, "change">): boolean => change === "delete" || change === "keep";

const REPLACING = /^(?:replace|(?:create|delete|discard|import|read)-replace(?:ment|d)|delete-replaced)$/;

/** Joins the steps of each resource, in the order of the preview. */
export function joinSteps(steps: readonly Step[]): Resource[] {
    const byUrn = Map.groupBy(steps, ({ urn }) => urn);
    const resources = [...byUrn.values()].flatMap((all): Resource[] => {
        // With --refresh, the step of the program starts at the refreshed state.
        const planned = all.filter(({ op }) => op !== "refresh");
        const own = planned.length > 0 ? planned : all;
        const [first] = own;
        if (first === undefined) return [];
        const change = changeOf(own);
        const before = own.find((step) => step.before !== undefined)?.before;
        const after = leavesStack({ change }) ? undefined : own.findLast((step) => step.after !== undefined)?.after;
        const { urn, type, name } = first;
        const former = change === "create" || change === "import" ? undefined : (before ?? after);
        const reasons = [...new Set(own.flatMap((step) => step.reasons))];
        return [{ urn, type, name, change, before: former, after, reasons }];
    });
    const joined = new Map(resources.map((one) => [one.urn, one]));
    // A deleted resource may be left to the deletion of another resource, which stays in the cloud.
    const staysWith = ({ urn, change, before }: Resource, seen: readonly string[] = []): boolean => {
        const host = before?.deletedWith ? joined.get(before.deletedWith) : undefined;
        if (change !== "delete" || host === undefined || seen.includes(urn)) return false;
        return staysBehind(host) || staysWith(host, [...seen, urn]);
    };
    return resources.map((one) => (staysWith(one) ? { ...one, change: "keep" } : one));
}

function changeOf(steps: readonly Step[]): Change {
    const ops = steps.map(({ op }) => op);
    if (ops.some((op) => REPLACING.test(op))) return "replace";
    if (ops.includes("delete") && ops.includes("create")) return "replace";
    if (ops.includes("delete")) return steps.some(({ before }) => before?.retainOnDelete === true) ? "keep" : "delete";
    if (ops.some((op) => op === "forget" || op === "discard")) return "keep";
    if (ops.includes("import")) return "import";
    if (ops.includes("create")) return "create";
    return ops.includes("update") ? "update" : "same";
}

/** Returns the non-empty string at a path, or undefined if it is anything else or unknown. */
export function textOf(properties: Properties | undefined, ...path: string[]): string | undefined {
    const value = valueAt(properties, path);
    return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a number, also if it is written as text. */
export function numberOf(properties: Properties | undefined, ...path: string[]): number | undefined {
    const value = valueAt(properties, path);
    const number = typeof value === "string" && value !== "" ? Number(value) : value;
    return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function recordOf(properties: Properties | undefined, ...path: string[]): Properties | undefined {
    const value = valueAt(properties, path);
    return isRecord(value) ? value : undefined;
}

export function recordsOf(properties: Properties | undefined, key: string): readonly Properties[] {
    const value = valueAt(properties, [key]);
    return Array.isArray(value) ? value.filter(isRecord) : [];
}
