/** What a change does to the traffic of a Service, in one word. */

import { interruptions } from "../plan";
import type { Bundle } from "./gather";
import { type SubjectReport, type Verdict, VERDICTS } from "./model";
import { type Change, recordOf, type ResourceState } from "./step";

/** What the verdicts are called. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
    nothing: "nothing changes",
    "backends-only": "backends only",
    "in-place": "changes in place",
    creates: "new",
    interrupts: "interrupts traffic",
    "replaces-listener": "replaces a listener",
    "replaces-address": "replaces the address",
    deletes: "deleted",
};

/** Whether one verdict is as grave as another, or graver. */
export const isAsSevere = (verdict: Verdict, other: Verdict): boolean =>
    VERDICTS.indexOf(verdict) >= VERDICTS.indexOf(other);

/** The gravest of verdicts; `nothing` of none. */
export const gravest = (verdicts: readonly Verdict[]): Verdict =>
    verdicts.reduce<Verdict>((worst, verdict) => (isAsSevere(verdict, worst) ? verdict : worst), "nothing");

type Parts = Pick<SubjectReport, "loadBalancer" | "listeners" | "groups" | "others">;

/** The verdict on a Service. */
export function verdictOf(bundle: Bundle, parts: Parts): Verdict {
    const { component } = bundle;
    const { loadBalancer, listeners, groups, others } = parts;
    if (component.change === "delete" || component.change === "keep") return "deletes";
    if (component.change === "create") return "creates";
    const lost = loadBalancer !== null && (REMADE.has(loadBalancer.change) || loadBalancer.change === "keep");
    if (lost) return "replaces-address";
    if (listeners.some(({ change }) => change === "replace")) return "replaces-listener";
    const broken = [...listeners, ...groups].some(({ change }) => REMADE.has(change));
    if (broken || interruptionsOf(bundle).length > 0) return "interrupts";
    const touched = [loadBalancer?.change, ...[...listeners, ...groups, ...others].map(({ change }) => change)];
    if (touched.some((change) => change !== undefined && change !== "same")) return "in-place";
    const members = groups.flatMap(({ backends }) => backends);
    return members.some(({ change }) => change !== "same") ? "backends-only" : "nothing";
}

const REMADE: ReadonlySet<Change> = new Set(["replace", "delete"]);

/** What an update in place interrupts, a sentence each; listeners that are replaced are told apart. */
export function interruptionsOf({ contract }: Bundle): string[] {
    const inputs = contract?.after?.inputs;
    return interruptions(textsOf(inputs, "disruptiveBefore"), textsOf(inputs, "disruptive"));
}

function textsOf(inputs: ResourceState["inputs"] | undefined, key: string): Record<string, string> | undefined {
    const given = recordOf(inputs, key);
    if (given === undefined) return undefined;
    const texts = Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return Object.fromEntries(texts);
}
