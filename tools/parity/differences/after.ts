/** What follows from an earlier refusal; asked last. */
import { attribute, type Found, type KnownDifference, refusedEarlier, untouched } from "../found";

export const AFTERMATH_DIFFERENCES: readonly KnownDifference[] = [
    {
        title: "After a refusal",
        reason: "What a refused step would have made was never made, so there is nothing to complain about, or to keep, later.",
        explains: (found) =>
            refusedEarlier(found) &&
            found.result.outcome.ok &&
            (found.difference.where === "outcome" ||
                (attribute(found) !== undefined && found.difference.actual === "") ||
                (isMissing(found) && wasThereWhenRefused(found))),
    },
];

function isMissing({ difference }: Found): boolean {
    return difference.expected === "present" && difference.actual === "";
}

/** Whether what is missing was already recorded in a step that was refused here. */
function wasThereWhenRefused({ difference, recorded, results, index }: Found): boolean {
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
