/** The rules, without side effects, for packs of your own. */

import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { policyOf } from "./rule/policy";
import { RULES } from "./rules";

/** Every rule of this package as a policy of the CrossGuard SDK. */
export const rules: readonly (ResourceValidationPolicy | StackValidationPolicy)[] = RULES.map(policyOf);

export { policyOf } from "./rule/policy";
export {
    type CheckDetails,
    type CheckResult,
    type Config,
    type Group,
    type Level,
    type ResourceRule,
    type Rule,
    type RuleOptions,
    type StackCheckResult,
    type StackRule,
    type Violation,
} from "./rule";
export { RULES } from "./rules";
export type { ResourceSubject, ServiceSubject, StackSubject } from "./subjects";
