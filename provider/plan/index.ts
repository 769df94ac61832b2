/** Current and desired state to ordered changes and verdicts: pure functions. */
export {
    type Member,
    type Membership,
    type MembershipPlan,
    type PlanOptions,
    isEmpty,
    membersOf,
    planMembership,
} from "./backends";
export { type LiveService, servedElsewhere } from "./controller";
export * from "./reuse";
export { INTERRUPTION_REMEDY, interruptions } from "./interruptions";
export { CREATE_ONLY_RULES, establish, type Violation, violations } from "./contract";
export { compareAttributes, compareBackends, formatDivergences, formatRefusal, isRefused } from "./adoption";
