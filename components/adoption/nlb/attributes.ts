import { type Attributes, compareAttributes, difference, type Difference } from "../../../provider/plan/adoption";

/** Attributes that the cloud cannot change of a living object: taken over as they are, they would mean a new one in the next run. */
const IMMUTABLE = new Set([
    "vpcId",
    "addressIpVersion",
    "protocol",
    "serverGroupType",
    "anyPortEnabled",
    "listenerPort",
    "startPort",
    "endPort",
    "listenerProtocol",
]);

/** Words that the API takes in any case. */
const WORDS = new Set([
    "addressType",
    "addressIpVersion",
    "ipv6AddressType",
    "scheduler",
    "serverGroupType",
    "protocol",
    "status",
    "healthCheck.healthCheckType",
    "healthCheck.httpCheckMethod",
]);

/** What of an object is not as it is desired, and the inputs of the plugin that must not be compared when it is imported. */
export interface ComparedAttributes {
    readonly differences: readonly Difference[];
    readonly keep: readonly string[];
}

/** Compares an NLB object in the plugin's words. A part of an input has a point in its name. */
export function compareNlbAttributes(object: string, desired: Attributes, observed: Attributes): ComparedAttributes {
    const found = compareAttributes(object, desired, observed);
    const differences = found
        .filter((one) => !WORDS.has(one.attribute) || one.observed.toLowerCase() !== one.desired.toLowerCase())
        .map((one) => {
            if (IMMUTABLE.has(one.attribute)) return difference({ ...one, verdict: "refused" });
            // The reason is for people.
            return one.attribute === "modificationProtectionReason" ? difference({ ...one, verdict: "note" }) : one;
        });
    return { differences, keep: [...new Set(found.map(({ attribute }) => attribute.split(".")[0] ?? attribute))] };
}
