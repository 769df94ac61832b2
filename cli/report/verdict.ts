/** Verdict on a change of a Service. */

import { interruptions } from "../../provider/plan/interruptions";
import { KUBERNETES_SERVICE_TYPE } from "../../provider/schema/resource-types";
import type { Bundle } from "./gather";
import { type SubjectReport, type Verdict, VERDICTS } from "./model";
import { type Change, recordOf, type ResourceState } from "./step";

/** True if a verdict is at least as grave as another. */
export const isAsSevere = (verdict: Verdict, other: Verdict): boolean =>
    VERDICTS.indexOf(verdict) >= VERDICTS.indexOf(other);

/** Returns the gravest verdict; `nothing` if there is none. */
export const gravest = (verdicts: readonly Verdict[]): Verdict =>
    verdicts.reduce<Verdict>((worst, verdict) => (isAsSevere(verdict, worst) ? verdict : worst), "nothing");

type Parts = Pick<SubjectReport, "loadBalancer" | "listeners" | "groups" | "others">;

/** Returns the verdict on a Service. */
export function verdictOf(bundle: Bundle, parts: Parts): Verdict {
    const { component } = bundle;
    const { loadBalancer, listeners, groups, others } = parts;
    if (component.change === "delete" || component.change === "keep")
        return staysWhole(parts) && !losesNodePorts(bundle, parts) ? "leaves" : "deletes";
    const adopts = loadBalancer?.change === "import";
    if (component.change === "create" && !adopts) return "creates";
    const lost = loadBalancer !== null && (REMADE.has(loadBalancer.change) || loadBalancer.change === "keep");
    if (lost) return "replaces-address";
    if (listeners.some(({ change }) => change === "replace")) return "replaces-listener";
    const broken = [...listeners, ...groups].some(({ change }) => REMADE.has(change));
    if (broken || interruptionsOf(bundle).length > 0) return "interrupts";
    if (adopts) return "adopts";
    const objects = [...(loadBalancer === null ? [] : [loadBalancer]), ...listeners, ...groups, ...others];
    if (objects.some(({ change }) => change !== "same")) return "in-place";
    const isMoved = ({ pending, backends }: Parts["groups"][number]): boolean =>
        pending !== null || backends.some(({ change }) => change !== "same");
    return groups.some(isMoved) ? "backends-only" : "nothing";
}

/** True if a load balancer and its listeners stay as they are while the Service leaves the stack. */
export const staysWhole = ({ loadBalancer, listeners }: Pick<Parts, "loadBalancer" | "listeners">): boolean =>
    loadBalancer?.change === "keep" && listeners.length > 0 && listeners.every(({ change }) => change === "keep");

/** True if backends answer on node ports of a Kubernetes Service that is deleted. */
export const losesNodePorts = ({ others }: Bundle, { groups }: Pick<Parts, "groups">): boolean =>
    others.some(({ type, change }) => type === KUBERNETES_SERVICE_TYPE && change === "delete") &&
    groups.some(({ backends }) => backends.some(({ key }) => key.startsWith("i-")));

const REMADE: ReadonlySet<Change> = new Set(["replace", "delete"]);

/** Returns a sentence for each interruption by an update in place. */
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
