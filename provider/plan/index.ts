/** Current and desired state to ordered changes and verdicts: pure functions. */
export { type ObservedService, servingController, otherStack } from "./controller";
export { changedFacts, type DiscoveredFacts, pinnedFacts } from "./cluster-facts";
export {
    clusterName,
    compareIdentity,
    describeMove,
    type IdentityComparison,
    otherClusterId,
    otherRegion,
    type StackIdentity,
} from "./identity";
export { type InstanceDemand, judgeQuotas, type ObservedQuotas } from "./quotas";
export * from "./reuse";
export { INTERRUPTION_REMEDY, interruptions } from "./interruptions";
export { addressReleases, type ContractFacts, type Release } from "./releases";
export { IMMUTABLE_FIELD_RULES, REPLACEABLE, establish, type ImmutabilityViolation, violations } from "./immutability";
export { compareAttributes, compareBackends, formatDifferences, formatRefusal, isRefused } from "./adoption";
