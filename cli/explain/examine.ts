/** All checks of a Service, and the judgement that follows from them. */

import { addressesOf, type InspectedService } from "../inspect/model";
import { bindings, health, leadership, members, nodes, pods, skippedBackends, strangers } from "./backends";
import { bandwidthPackage, certificates } from "./certificates";
import { edits } from "./edits";
import { events, isOld } from "./events";
import type { Examine, Explanation } from "./explanation";
import * as balancer from "./listeners";
import { adopted, former, identity, missingInstance, mistakes, otherAddress, stuck, withoutAddress } from "./pending";

/** Every check by its subject, in the order in which a packet travels: from the Service to its pods. */
export const EXAMINATIONS = {
    state: balancer.state,
    controllers: balancer.controllers,
    former,
    edits,
    events,
    identity,
    adopted,
    leadership,
    mistakes,
    unmanaged: withoutAddress,
    otherAddress,
    stuck,
    missing: missingInstance,
    quotas: balancer.quotas,
    listeners: balancer.listeners,
    protocols: balancer.protocols,
    strays: balancer.strays,
    missingAcl: balancer.missingAcl,
    attributes: balancer.attributes,
    certificates,
    bandwidthPackage,
    members,
    strangers,
    bindings,
    health,
    skippedBackends,
    nodes,
    nodePorts: balancer.nodePorts,
    inside: balancer.inside,
    pods,
} as const satisfies Readonly<Record<string, Examine>>;

type Check = keyof typeof EXAMINATIONS;

/** Checks whose broken findings follow from a broken finding of another check, and are left out then. */
const CONSEQUENCES: Readonly<Partial<Record<Check, readonly Check[]>>> = {
    state: ["health"],
    pods: ["members", "health", "skippedBackends", "nodes"],
};

/** Checks whose broken findings an edit of the Service may cause: it is broken then, too. */
const BY_EDITS: readonly Check[] = [
    "mistakes",
    "listeners",
    "protocols",
    "attributes",
    "members",
    "skippedBackends",
    "pods",
];

/** Verdicts, the gravest first. */
const VERDICTS = ["broken", "drift", "suspect", "history", "not seen"] as const;

/** Returns the explanations of a Service: by verdict, the gravest first, then in the order of {@link EXAMINATIONS}. */
export function examine(live: InspectedService): Explanation[] {
    const checks = Object.entries(EXAMINATIONS) as [Check, Examine][];
    const found = new Map(checks.map(([check, run]) => [check, [run(live) ?? []].flat()]));
    const isBroken = (check: Check): boolean => found.get(check)?.some(({ verdict }) => verdict === "broken") === true;
    const causes = (Object.keys(CONSEQUENCES) as Check[]).filter(isBroken);
    const left = new Set(causes.flatMap((cause) => CONSEQUENCES[cause] ?? []));
    const others = checks.some(([check]) => check !== "events" && isBroken(check));
    // Events are history if the Service has its address and nothing else is broken.
    const healed = addressesOf(live.object).length > 0 && live.cloud.kind === "found" && !others;
    const explanations = [...found].flatMap(([check, all]) => {
        if (check === "edits" && BY_EDITS.some(isBroken))
            return all.map((one): Explanation => ({ ...one, verdict: "broken" }));
        if (check === "events")
            return all.map((one): Explanation =>
                one.verdict === "broken" && (healed || (others && isOld({ at: one.at ?? "" }, live.now)))
                    ? { ...one, verdict: "history" }
                    : one,
            );
        return left.has(check) ? all.filter(({ verdict }) => verdict !== "broken" && check !== "nodes") : all;
    });
    return VERDICTS.flatMap((verdict) => explanations.filter((one) => one.verdict === verdict));
}

/** Judgement on a Service, the same in every command. */
export interface Judgement {
    /** `unknown` if nothing broken was found and something could not be checked. */
    readonly health: "works" | "broken" | "unknown";
    /** Number of findings in which observed and desired state differ, or undefined if the cloud could not be read. */
    readonly drift: number | undefined;
    /** The gravest finding, or what could not be checked, in a sentence. */
    readonly summary: string;
}

export function judge(live: InspectedService, explanations: readonly Explanation[]): Judgement {
    const broken = explanations.find(({ verdict }) => verdict === "broken");
    const unseen = explanations.filter(({ verdict }) => verdict === "not seen").map(({ what }) => what);
    const drift = live.cloud.kind === "found" ? explanations.filter((one) => one.drift === true).length : undefined;
    if (broken !== undefined) return { health: "broken", drift, summary: broken.what };
    if (unseen.length > 0) return { health: "unknown", drift, summary: `could not be checked: ${unseen.join("; ")}` };
    const harmless = explanations.filter(({ verdict }) => verdict === "drift").map(({ what }) => what);
    return { health: "works", drift, summary: ["nothing broken was found", ...harmless].join("; ") };
}
