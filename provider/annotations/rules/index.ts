/** Rules about several settings, or about settings and the rest of the Service or the cluster. One concern per file. */

import type { Diagnostic } from "../../diagnostics";
import type { LoadBalancerType } from "../../schema/load-balancer-type";
import { clbRules } from "./clb";
import type { Rule, RuleContext } from "./context";
import { nlbRules } from "./nlb";
import { sharedRules } from "./shared";

const RULES: Readonly<Record<LoadBalancerType, readonly Rule[]>> = {
    clb: [...sharedRules, ...clbRules],
    nlb: [...sharedRules, ...nlbRules],
};

/** Applies all rules for the kind of load balancer that the Service gets. */
export function applyRules(context: RuleContext): Diagnostic[] {
    return RULES[context.type].flatMap((rule) => rule(context));
}

export { SYSTEM_TAGS } from "./shared/administration";
export type { RuleContext } from "./context";
