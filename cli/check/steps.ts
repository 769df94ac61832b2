/** Steps and removed Services of a preview. */

import { buildReport, type ResourceState, type Step, UNKNOWN } from "../report";
import { hideSecrets, type PreviewDigest, type PreviewState, type PreviewStep } from "./preview";
import type { RemovedService } from "../../policies/rule";
import { SERVICE_TYPE } from "../../provider/schema/resource-types";
import { settle, TEXTS, Unknown } from "../../policies/subjects";
import { defined } from "../../provider/schema/defined";

/** Returns the steps of a preview, without secrets. */
export const stepsOf = ({ steps }: PreviewDigest): Step[] => steps.map(stepOf);

function stepOf({ op, urn, oldState, newState, diffReasons }: PreviewStep): Step {
    return {
        op,
        urn,
        type: (newState ?? oldState)?.type ?? typeOf(urn),
        name: nameOf(urn),
        reasons: diffReasons ?? [],
        ...(oldState && { before: stateOf(oldState) }),
        ...(newState && { after: stateOf(newState) }),
    };
}

/** Returns the type of a URN, after those of the parents. */
const typeOf = (urn: string): string => (urn.split("::")[2] ?? "").split("$").at(-1) ?? "";

/** Returns the name of a URN; it may contain the separator. */
const nameOf = (urn: string): string => urn.split("::").slice(3).join("::");

function stateOf(state: PreviewState): ResourceState {
    const { inputs = {}, outputs = {}, protect, retainOnDelete, parent, propertyDependencies = {} } = state;
    return {
        ...defined({ id: state.id || state.importID || undefined }),
        inputs: plain(inputs),
        outputs: plain(outputs),
        protect: protect === true,
        retained: retainOnDelete === true,
        ...defined({ parent, deletedWith: state.deletedWith || undefined }),
        dependencies: state.dependencies ?? [],
        origins: Object.fromEntries(Object.entries(propertyDependencies).map(([key, urns]) => [key, urns ?? []])),
    };
}

function plain(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return marked(settle(hideSecrets(properties))) as Record<string, unknown>;
}

/** Replaces unknown values by the placeholder of reports. */
function marked(value: unknown): unknown {
    if (value instanceof Unknown) return UNKNOWN;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(marked);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, marked(part)]));
}

/** Returns the Services that leave the stack and release a public address, in the order of the preview. */
export function removedServices(digest: PreviewDigest): RemovedService[] {
    const steps = stepsOf(digest);
    const { losses, subjects } = buildReport({ steps });
    return steps.flatMap(({ type, before, after }) => {
        const name = before?.inputs["service"];
        if (type !== SERVICE_TYPE || before === undefined || after !== undefined || typeof name !== "string") return [];
        const subject = `Service ${name}`;
        const loss = losses.find((one) => one.subject === subject);
        const gone = subjects.some((one) => one.subject === subject && one.verdict === "deletes");
        if (loss === undefined || !gone) return [];
        const { address, cause, remedy } = loss;
        const labels = TEXTS.safeParse(before.inputs["labels"]).data ?? {};
        return [{ name, labels, protect: before.protect, address, cause, remedy }];
    });
}
