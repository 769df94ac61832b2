/** Public addresses that a change releases, as a Service's contract knows them. */

import { z } from "zod";
import { addressReleases } from "../../../provider/plan";
import type { CheckResult, RemovedService } from "../../rule";
import { type ResourceSubject, TEXTS } from "../../subjects";

const LIVE = z.looseObject({ addresses: z.array(z.string()).default([]) });

/**
 * What a Service in the stack releases.
 *
 * @throws if it depends on a value that is not known yet.
 */
export const releasedByChange = (contract: ResourceSubject): CheckResult[] =>
    addressReleases({
        established: contract.get("established", TEXTS) ?? {},
        requested: contract.get("requested", TEXTS) ?? {},
        before: contract.get("disruptiveBefore", TEXTS) ?? {},
        after: contract.get("disruptive", TEXTS) ?? {},
        addresses: contract.get("live", LIVE)?.addresses ?? [],
    });

/** What a Service releases that leaves the stack. */
export const releasedByRemoval = ({ address, cause, remedy }: RemovedService): CheckResult => ({
    cause: `${address} is released: ${cause}`,
    remedy,
});
