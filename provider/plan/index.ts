/** Current and desired state to ordered changes and verdicts: pure functions. */
export { type ObservedService, servingController, otherStack } from "./controller";
export { changedFacts, type DiscoveredFacts, pinnedFacts } from "./cluster-facts";
export {
    clusterName,
    compareIdentity,
    describeMove,
    type IdentityComparison,
    type MoveTo,
    otherClusterId,
    otherRegion,
    type StackIdentity,
} from "./identity";
export { type InstanceDemand, judgeQuotas } from "./quotas";
export { type ObservedQuotas } from "../quotas/table";
export * from "./reuse";
export { INTERRUPTION_REMEDY, interruptions } from "./interruptions";
export { addressReleases, type ContractFacts, type Release } from "./releases";
export { IMMUTABLE_FIELD_RULES, establish, type ImmutabilityViolation, violations } from "./immutability";
export { compareAttributes, compareBackends } from "./diff";
export { formatDifferences, formatRefusal, isRefused } from "./adoption";
