/**
 * The simulated Alibaba Cloud of the lab: CLB, NLB and what they need of VPC and ECS, over the real wire protocol,
 * with state, rules, quotas, delays and faults.
 */
export { startCloud, type CloudOptions, type RunningCloud } from "./server";
export { defaultSeed, type Seed, type SeedCall } from "./console";
export type { CallRecord, Config, Fault } from "./core";
