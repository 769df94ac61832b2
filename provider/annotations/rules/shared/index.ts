/** Rules for both kinds of load balancer. */
import type { Rule } from "../context";
import { preservation, tags } from "./administration";
import { backendType, defaultWeight, nodeFilters } from "./backend";
import { companions } from "./companions";
import { protocolPort } from "./protocol-port";
import { reusedInstance } from "./reuse";
import { weighted } from "./scheduler";
import { scope } from "./scope";
import { undocumented } from "./undocumented";
import { version } from "./version";
import { vgroupPort } from "./vgroup-port";

export const sharedRules: readonly Rule[] = [
    version,
    companions,
    tags,
    preservation,
    protocolPort,
    vgroupPort,
    scope,
    backendType,
    nodeFilters,
    defaultWeight,
    reusedInstance,
    undocumented,
    weighted,
];
