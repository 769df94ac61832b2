/** Rules for an NLB. */
import type { Rule } from "../context";
import { addresses, ipv6, zones } from "./address";
import { certificate, clientAddress, idleTimeout, portRanges } from "./listener";
import { addressGroups, checks, unchecked } from "./server-group";

export const nlbRules: readonly Rule[] = [
    zones,
    addresses,
    ipv6,
    certificate,
    clientAddress,
    idleTimeout,
    portRanges,
    checks,
    unchecked,
    addressGroups,
];
