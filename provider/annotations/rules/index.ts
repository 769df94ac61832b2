/** Rules about several settings, or about settings and the rest of the Service or the cluster. One concern per file. */

import type { LoadBalancerType } from "../../model/type";
import type { Finding } from "../finding";
import { ipv6, vswitch } from "./address";
import { cookie, hostname, preservation, tags } from "./administration";
import { backendType, nodeFilters } from "./backend";
import { certificate } from "./certificate";
import { bandwidth, specification, traffic } from "./charge";
import { companions } from "./companions";
import type { Rule, RuleContext } from "./context";
import { forwardPort } from "./forward-port";
import { checkedByTcp, checkType, timeouts, unchecked } from "./health-check";
import { networkRules } from "./nlb";
import { protocolPort } from "./protocol-port";
import { realised } from "./realised";
import { scheduler, weighted } from "./scheduler";
import { scope } from "./scope";
import { version } from "./version";

/** What holds whatever the kind of load balancer. */
const COMMON: readonly Rule[] = [
    version,
    realised,
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
    nlb: [...COMMON, ...networkRules],
};

/** Applies all rules for the kind of load balancer that the Service gets. */
export function applyRules(context: RuleContext): Finding[] {
    return RULES[context.type].flatMap((rule) => rule(context));
}

export { SYSTEM_TAGS } from "./administration";
export type { RuleContext } from "./context";
