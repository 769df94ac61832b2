/** From the engine's document to what a report is made of. */

import { type ResourceState, type Step, UNKNOWN } from "../../provider/report";
import { hideSecrets, type PreviewDigest, type PreviewState, type PreviewStep } from "./preview";
import { settle, Unknown } from "../../policies/subjects";
import { defined } from "../../provider/schema/defined";

/** The steps of a preview, without secrets. */
export const stepsOf = ({ steps }: PreviewDigest): Step[] => steps.map(stepOf);

function stepOf({ op, urn, oldState, newState, diffReasons }: PreviewStep): Step {
    return {
        op,
        urn,
        type: (newState ?? oldState)?.type ?? typeOf(urn),
        name: nameOf(urn),
        reasons: diffReasons ?? [],
        ...(oldState ? { before: stateOf(oldState) } : {}),
        ...(newState ? { after: stateOf(newState) } : {}),
    };
}

/** The type that a URN ends with, behind those of the parents. */
const typeOf = (urn: string): string => (urn.split("::")[2] ?? "").split("$").at(-1) ?? "";

/** The name that a URN ends with; it may hold the separator. */
const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");

function stateOf(state: PreviewState): ResourceState {
    const { id, inputs = {}, outputs = {}, protect, retainOnDelete, parent, propertyDependencies = {} } = state;
    return {
        ...(id === undefined || id === "" ? {} : { id }),
        inputs: plain(inputs),
        outputs: plain(outputs),
        protect: protect === true,
        retained: retainOnDelete === true,
        ...defined({ parent }),
        origins: Object.fromEntries(Object.entries(propertyDependencies).map(([key, urns]) => [key, urns ?? []])),
    };
}

function plain(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return marked(settle(hideSecrets(properties))) as Record<string, unknown>;
}

/** Puts the report's mark in the place of what is not known. */
function marked(value: unknown): unknown {
    if (value instanceof Unknown) return UNKNOWN;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(marked);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, marked(part)]));
}
