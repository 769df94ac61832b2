/** Differences that follow from an earlier refusal. They are asked last. */
import { attribute, type DifferenceContext, type KnownDifference, refusedEarlier, untouched } from "../context";

export const AFTERMATH_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "After a refusal",
        reason: "A refused step created nothing: later steps have nothing to refuse or to keep.",
        explains: (context) =>
            refusedEarlier(context) &&
            context.result.outcome.ok &&
            (context.difference.where === "outcome" ||
                (attribute(context) !== undefined && context.difference.actual === "") ||
                (isMissing(context) && wasThereWhenRefused(context))),
    },
];

function isMissing({ difference }: DifferenceContext): boolean {
    return difference.expected === "present" && difference.actual === "";
}

/** Reports whether a missing object was already recorded in a step that was refused here. */
function wasThereWhenRefused({ difference, recorded, results, index }: DifferenceContext): boolean {
    const [, ref = "", name = ""] = /^(?:instance (\S+)|group (\S+))$/.exec(difference.where) ?? [];
    return results.slice(0, index).some((result, at) => {
        const cloud = recorded.steps[at]?.expect.cloud;
        return (
            untouched(result) &&
            (cloud?.loadBalancers.some((one) => one.ref === ref) ||
                cloud?.serverGroups.some((one) => one.name === name))
        );
    });
}
