/** Rules about several settings, or about settings and the rest of the Service or the cluster. One concern per file. */

import type { Finding } from "../finding";
import { ipv6, vswitch } from "./address";
import { cookie, hostname, preservation, tags } from "./administration";
import { backendType, nodeFilters, serverGroupType } from "./backend";
import { certificate } from "./certificate";
import { bandwidth, specification, traffic } from "./charge";
import { companions } from "./companions";
import type { Rule, RuleContext } from "./context";
import { forwardPort } from "./forward-port";
import { checkedByTcp, checkType, timeouts, unchecked } from "./health-check";
import { protocolPort } from "./protocol-port";
import { realised } from "./realised";
import { scheduler } from "./scheduler";
import { scope } from "./scope";
import { version } from "./version";

const RULES: readonly Rule[] = [
    version,
    realised,
    companions,
    specification,
    bandwidth,
    traffic,
    tags,
    preservation,
    hostname,
    ipv6,
    vswitch,
    protocolPort,
    certificate,
    forwardPort,
    cookie,
    scheduler,
    scope,
    timeouts,
    unchecked,
    checkedByTcp,
    checkType,
    backendType,
    nodeFilters,
    serverGroupType,
];

/** Applies all rules. */
export function applyRules(context: RuleContext): Finding[] {
    return RULES.flatMap((rule) => rule(context));
}

export { SYSTEM_TAGS } from "./administration";
export type { RuleContext } from "./context";
