/** All checks of a Service, and what they find. */

import type { InspectedService } from "../live/model";
import { bindings, health, members, pods, skipped } from "./backends";
import type { Examine, Explanation } from "./explanation";
import { inside, listeners, nodePorts, protocols, quotas } from "./listeners";
import { events, missing, mistakes, stuck, unmanaged } from "./pending";

/** Every check by its subject, in the order of the way of a packet: from the Service to its pods. */
export const EXAMINATIONS: Readonly<Record<string, Examine>> = {
    events,
    mistakes,
    unmanaged,
    stuck,
    missing,
    quotas,
    listeners,
    protocols,
    members,
    bindings,
    health,
    skipped,
    nodePorts,
    inside,
    pods,
};

/** Verdicts, the gravest first. */
const VERDICTS = ["broken", "suspect", "not seen"] as const;

/** Returns what is wrong with a Service: the gravest verdict first, each in the order of {@link EXAMINATIONS}. */
export function examine(live: InspectedService): Explanation[] {
    const found = Object.values(EXAMINATIONS).flatMap((check) => check(live));
    return VERDICTS.flatMap((verdict) => found.filter((one) => one.verdict === verdict));
}
