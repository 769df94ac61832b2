/** Helpers of the rules that explain known differences. */
import type { ServiceObject } from "../../provider/service/objects";
import { annotation } from "./annotations";
import type { Case, CaseNode, CaseStep } from "./case";
import type { Difference } from "./compare";
import { keyOf, type StepResult } from "./run-case";
import { annotationOf, specOf } from "./spec";

/** A difference with all that may explain it. */
export interface DifferenceContext {
    readonly recorded: Case;
    readonly step: CaseStep;
    /** Number of the step, from 0. */
    readonly index: number;
    readonly results: readonly StepResult[];
    readonly result: StepResult;
    readonly difference: Difference;
    /** Every difference of the step. */
    readonly all: readonly Difference[];
}

/** A known difference between this package and the Cloud Controller Manager (CCM). */
export interface KnownDifference {
    /** Heading in the documentation. */
    readonly title: string;
    /** The behaviour of both, and why, in a sentence or two. */
    readonly reason: string;
    /** Reports whether it explains a difference. */
    readonly explains: (context: DifferenceContext) => boolean;
}

/** The Service that the step is about, as it is in this step. */
export function subject(context: DifferenceContext): ServiceObject {
    const found = servicesSoFar(context).findLast((service) => keyOf(service) === context.result.subject);
    if (found === undefined) throw new Error(`case ${context.recorded.id} has no Service ${context.result.subject}`);
    return found;
}

/** An annotation of the Service that the step is about. */
export const annotated = (context: DifferenceContext, suffix: string): string | undefined =>
    annotation(subject(context), suffix);

/** This step and those before. */
export const stepsSoFar = ({ recorded, index }: DifferenceContext): CaseStep[] => recorded.steps.slice(0, index + 1);

/** Services of this step and of those before. */
export const servicesSoFar = (context: DifferenceContext): ServiceObject[] =>
    stepsSoFar(context).flatMap(({ service }) => service ?? []);

export const nodesNow = (context: DifferenceContext): readonly CaseNode[] =>
    stepsSoFar(context).findLast(({ nodes }) => nodes !== undefined)?.nodes ?? context.recorded.cluster.nodes;

export function endpointsNow(context: DifferenceContext) {
    const slices = stepsSoFar(context).findLast(({ endpointSlices }) => endpointSlices !== undefined)?.endpointSlices;
    return (slices ?? []).flatMap(({ endpoints }) => endpoints ?? []);
}

/** Reports whether a step ends the exposure of its Service: it is deleted, or no longer of type LoadBalancer. */
export function endsExposure({ op, service }: CaseStep): boolean {
    return op === "delete" || (service?.spec !== undefined && service.spec.type !== "LoadBalancer");
}

/** Reports whether the steps so far have ended the exposure of a Service. */
export const exposureEnded = (context: DifferenceContext): boolean => stepsSoFar(context).some(endsExposure);

/** Reports whether a run failed without having changed anything. */
export function untouched({ outcome, before, after }: StepResult): boolean {
    return !outcome.ok && JSON.stringify(before) === JSON.stringify(after);
}

/**
 * True if a run was refused with one of these diagnostic codes, or, for `contract`, because an immutable field would
 * change.
 */
export function refusedFor(result: StepResult, ...codes: readonly string[]): boolean {
    const texts = result.outcome.errors;
    return (
        untouched(result) &&
        texts.some((text) =>
            codes.some((code) =>
                code === "contract"
                    ? /ServiceContract.*cannot change from/s.test(text)
                    : text.includes(`error[${code}]`),
            ),
        )
    );
}

/** Reports whether an earlier step was refused by this package and not by CCM. */
export function refusedEarlier({ recorded, results, index }: DifferenceContext): boolean {
    return results.slice(0, index).some((result, at) => untouched(result) && recorded.steps[at]?.expect.error === null);
}

/** Kind and name of an attribute that is different. */
export function attribute({
    difference,
}: DifferenceContext): { readonly kind: string; readonly name: string } | undefined {
    const [, instance, listener, group, name] =
        /^(?:(instance|nlb) \S+|listener (\w+):[\d-]+|(group) \S+) (\w+)$/.exec(difference.where) ?? [];
    const kind = instance ?? listener ?? group;
    return kind === undefined || name === undefined || ["status", "group", "name"].includes(name)
        ? undefined
        : { kind, name };
}

/** Reports whether an attribute has its annotated or default value, and was recorded with another value. */
export function asSpecified(context: DifferenceContext): boolean {
    const what = attribute(context);
    if (what === undefined) return false;
    const spec = specOf(subject(context), what.kind, what.name);
    return spec !== undefined
        ? spec === context.difference.actual
        : context.difference.actual === "" && annotationOf(what.name) !== undefined;
}

/** Reports whether the annotation of an attribute was removed. */
export function wasRemoved(context: DifferenceContext): boolean {
    const suffix = annotationOf(attribute(context)?.name ?? "");
    return (
        suffix !== undefined &&
        annotated(context, suffix) === undefined &&
        servicesSoFar(context).some((one) => annotation(one, suffix) !== undefined)
    );
}

export function missingBackend({ difference }: DifferenceContext): boolean {
    return difference.where.startsWith("backend ") && difference.expected === "present" && difference.actual === "";
}

export function surplusBackend({ difference }: DifferenceContext): boolean {
    return difference.where.startsWith("backend ") && difference.expected === "" && difference.actual === "present";
}

export function backendOfNode(context: DifferenceContext, suits: (node: CaseNode) => boolean): boolean {
    const id = / ecs (\S+) /i.exec(context.difference.where)?.[1];
    return id !== undefined && nodesNow(context).some((node) => suits(node) && node.providerID.endsWith(id));
}

export function nodeOfBackend(context: DifferenceContext): string | undefined {
    const id = / ecs (\S+) /i.exec(context.difference.where)?.[1];
    return nodesNow(context).find(({ instanceId }) => instanceId === id)?.name;
}

export const isServer = ({ providerID }: CaseNode): boolean =>
    /^(?:alicloud:\/\/)?[a-z0-9-]+\.i-[\w-]+$/.test(providerID);
