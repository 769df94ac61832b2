/** Finds public addresses that a change releases: they cannot be had again. */

import { violations } from "./immutability";

type Facts = Readonly<Record<string, string>>;

/** Change of a Service, from its contract. */
export interface ContractFacts {
    /** Immutable fields as they were established; empty for a Service that is new. */
    readonly established: Facts;
    readonly requested: Facts;
    /** Disruptive settings before and after. */
    readonly before: Facts;
    readonly after: Facts;
    /** Addresses in the Service's status. */
    readonly addresses: readonly string[];
}

/** Release of an address. */
export interface Release {
    readonly cause: string;
    readonly remedy: string;
}

/** A named elastic IP address stays the user's. */
const OWN_ADDRESS = /(?:^| )eip-/;

/** Returns the releases of a change. A reused instance keeps its addresses. */
export function addressReleases({ established, requested, before, after, addresses }: ContractFacts): Release[] {
    const was = established["addressType"] ?? before["addressType"];
    if (was !== "internet" || "id" in established) return [];
    const address = addresses.join(", ") || "its public address";
    const replaced = violations(established, requested).map(({ cause, remedy }) => ({
        cause: `${address} is released: ${cause}; another load balancer gets another address`,
        remedy,
    }));
    return replaced.length > 0 ? replaced : zonesLeft(before, after, address);
}

/** An NLB releases the addresses of removed zones, and all when it becomes internal. */
function zonesLeft(before: Facts, after: Facts, address: string): Release[] {
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
                remedy:
                    "keep the zone as it is, or name an elastic IP address of your own for it in zone-maps, which " +
                    "stays yours",
            },
        ];
    });
}
