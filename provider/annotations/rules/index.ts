/** Rules about several settings, or about settings and the rest of the Service or the cluster. One concern per file. */

import type { LoadBalancerType } from "../../schema/load-balancer-type";
import type { Diagnostic } from "../../diagnostics";
import { ipv6, vswitch } from "./clb/address";
import { cookie, hostname, preservation, tags } from "./shared/administration";
import { backendType, nodeFilters } from "./shared/backend";
import { certificate } from "./clb/certificate";
import { bandwidth, specification, traffic } from "./clb/charge";
import { companions } from "./shared/companions";
import type { Rule, RuleContext } from "./context";
import { forwardPort } from "./clb/forward-port";
import { checkedByTcp, checkType, timeouts, unchecked } from "./clb/health-check";
import { nlbRules } from "./nlb";
import { protocolPort } from "./shared/protocol-port";
import { scheduler, weighted } from "./shared/scheduler";
import { scope } from "./shared/scope";
import { version } from "./shared/version";

/** What holds whatever the kind of load balancer. */
const COMMON: readonly Rule[] = [
    version,
    companions,
    tags,
    preservation,
    protocolPort,
    scope,
    backendType,
    nodeFilters,
    weighted,
];

const RULES: Readonly<Record<LoadBalancerType, readonly Rule[]>> = {
    clb: [
        ...COMMON,
        specification,
        bandwidth,
        traffic,
        hostname,
        ipv6,
        vswitch,
        certificate,
        forwardPort,
        cookie,
        scheduler,
        timeouts,
        unchecked,
        checkedByTcp,
        checkType,
    ],
    nlb: [...COMMON, ...nlbRules],
};

/** Applies all rules for the kind of load balancer that the Service gets. */
export function applyRules(context: RuleContext): Diagnostic[] {
    return RULES[context.type].flatMap((rule) => rule(context));
}

export { SYSTEM_TAGS } from "./shared/administration";
export type { RuleContext } from "./context";
