/** Current and desired state to ordered changes and verdicts: pure functions. */
export { type Member, type Membership, type MembershipPlan, type PlanOptions, isEmpty, membersOf, planMembership } from "./backends";
export { CREATE_ONLY_RULES, type Violation, violations } from "./contract";
export { compareAttributes, compareBackends, formatDivergences, formatRefusal, isRefused } from "./adoption";
