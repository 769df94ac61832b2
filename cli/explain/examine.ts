/** All checks of a Service. */

import type { InspectedService } from "../inspect/model";
import { bindings, health, members, pods, skippedBackends } from "./backends";
import type { Examine, Explanation } from "./explanation";
import { inside, listeners, nodePorts, protocols, quotas } from "./listeners";
import { events, missingInstance, mistakes, stuck, withoutAddress } from "./pending";

/** Every check by its subject, in the order in which a packet travels: from the Service to its pods. */
export const EXAMINATIONS: Readonly<Record<string, Examine>> = {
    events,
    mistakes,
    unmanaged: withoutAddress,
    stuck,
    missing: missingInstance,
    quotas,
    listeners,
    protocols,
    members,
    bindings,
    health,
    skippedBackends,
    nodePorts,
    inside,
    pods,
};

/** Verdicts, the gravest first. */
const VERDICTS = ["broken", "suspect", "not seen"] as const;

/** Returns the explanations of a Service: by verdict, the gravest first, then in the order of {@link EXAMINATIONS}. */
export function examine(live: InspectedService): Explanation[] {
    const explanations = Object.values(EXAMINATIONS).flatMap((check) => check(live));
    return VERDICTS.flatMap((verdict) => explanations.filter((one) => one.verdict === verdict));
}
