/** Public addresses that a change releases, as a Service's contract knows them. */

import { z } from "zod";
import type { CheckResult, RemovedService } from "../../rule";
import { type ResourceSubject, TEXTS } from "../../subjects";
import { changesOfContract } from "../immutability/create-only";

const LIVE = z.looseObject({ addresses: z.array(z.string()).default([]) });

type Facts = Readonly<Record<string, string>>;

/** An elastic IP address that the user has named stays the user's. */
const OWN_ADDRESS = /(?:^| )eip-/;

/**
 * What a Service in the stack releases. A reused instance is the user's, and so are its addresses.
 *
 * @throws if it depends on a value that is not known yet.
 */
export function releasedByChange(contract: ResourceSubject): CheckResult[] {
    const established = contract.get("established", TEXTS) ?? {};
    const [before, after] = [contract.get("disruptiveBefore", TEXTS) ?? {}, contract.get("disruptive", TEXTS) ?? {}];
    const was = established["addressType"] ?? before["addressType"];
    if (was !== "internet" || "id" in established) return [];
    const address = addressesOf(contract).join(", ") || "its public address";
    const replaced = changesOfContract(contract).map(({ cause, remedy }) => ({
        cause: `${address} is released: ${cause}; another load balancer gets another address`,
        remedy,
    }));
    return replaced.length > 0 ? replaced : zonesLeft(before, after, address);
}

/** An NLB has an address in each zone, and releases those that it leaves; one that becomes internal releases all. */
function zonesLeft(before: Facts, after: Facts, address: string): CheckResult[] {
    const inward = after["addressType"] !== undefined && after["addressType"] !== "internet";
    if (inward)
        return [
            {
                cause: `the public addresses of ${address} are released: it becomes internal`,
                remedy: 'put addressType back to "internet", or give internal callers a second Service first',
            },
        ];
    return Object.entries(before).flatMap(([fact, mapping]) => {
        if (!fact.startsWith("zone ") || after[fact] === mapping || OWN_ADDRESS.test(mapping)) return [];
        return [
            {
                cause: `the public address of ${address} in ${fact} is released`,
                remedy: "keep the zone as it is, or name an elastic IP address of your own for it in zone-maps, which stays yours",
            },
        ];
    });
}

/** What a Service releases that leaves the stack. */
export const releasedByRemoval = ({ address, cause, remedy }: RemovedService): CheckResult => ({
    cause: `${address} is released: ${cause}`,
    remedy,
});

const addressesOf = (contract: ResourceSubject): readonly string[] => contract.get("live", LIVE)?.addresses ?? [];
