/** All checks of a Service, and what they find, the likeliest first. */

import type { LiveService } from "../live/model";
import { bindings, health, members, pods, skipped } from "./backends";
import type { Examine, Explanation } from "./explanation";
import { inside, listeners, nodePorts, protocols, quotas } from "./listeners";
import { events, missing, mistakes, stuck, unmanaged } from "./pending";

/** Every check, by its subject. */
export const EXAMINATIONS: Readonly<Record<string, Examine>> = {
    events,
    mistakes,
    unmanaged,
    stuck,
    missing,
    pods,
    skipped,
    members,
    health,
    bindings,
    listeners,
    protocols,
    quotas,
    nodePorts,
    inside,
};

/** Likelihood from which something is broken, and not only a trap. */
export const BROKEN = 60;

/** What is wrong with a Service, in order of likelihood. */
export function examine(live: LiveService): Explanation[] {
    const found = Object.values(EXAMINATIONS).flatMap((check) => check(live));
    return found.sort((a, b) => b.likelihood - a.likelihood);
}
