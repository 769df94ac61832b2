import type { ObservedLoadBalancer, ReuseRequest } from "../../model/observed";

/** A reuse as a contract records it. States of version 0.1 hold the request as `wish`. */
export interface RecordedReuse {
    readonly request?: ReuseRequest;
    readonly wish?: ReuseRequest;
    /** Absent if the cloud has no such instance. */
    readonly found?: ObservedLoadBalancer;
}

/** What was requested of the instance; undefined if none was reused. */
export const recordedRequest = (reuse: RecordedReuse | undefined): ReuseRequest | undefined =>
    reuse?.request ?? reuse?.wish;
