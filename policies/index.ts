/** The rules, without side effects, for packs of your own. */

import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { policyOf } from "./rule/policy";
import { RULES } from "./rules";

/** Every rule of this package as a policy of the CrossGuard SDK. */
export const rules: readonly (ResourceValidationPolicy | StackValidationPolicy)[] = RULES.map(policyOf);

export { policyOf, RULES };
export type { CheckDetails, CheckResult, StackCheckResult, Violation } from "./rule";
export type { Config, Group, Level, ResourceRule, Rule, RuleOptions, StackRule } from "./rule";
export type { ResourceSubject, ServiceSubject, StackSubject } from "./subjects";
