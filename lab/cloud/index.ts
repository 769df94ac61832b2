/**
 * The simulated Alibaba Cloud of the lab: CLB, NLB and what they need of VPC and ECS, over the real wire protocol,
 * with state, rules, quotas, delays and faults.
 */
import type { Collections } from "./core";
import type { EcsState } from "./ecs/state";
import type { NlbState } from "./nlb/state";
import type { SlbState } from "./slb/state";

export { startCloud, type CloudOptions, type RunningCloud } from "./server";
export { defaultSeed, type Seed, type SeedCall } from "./console";
export type { CallRecord, Config, Fault } from "./core";

/** The answer of `GET /_state`, without the objects of VPC. */
export interface StatedCloud {
    readonly slb: Collections<SlbState>;
    readonly nlb: Collections<NlbState>;
    readonly ecs: Collections<EcsState>;
}
