/** Load balancers of either type as observed. Plain data. */
import type { ObservedClbLoadBalancer } from "../clb/load-balancer";
import type { ObservedNlbLoadBalancer } from "../nlb/load-balancer";
import type { ObservedListener } from "../schema/observed";
import type { ObservedServerGroup } from "../schema/server-group";

export type ObservedInstance = Omit<ObservedClbLoadBalancer, "listeners"> | ObservedNlbLoadBalancer;

export type ObservedLoadBalancer = ObservedInstance & {
    readonly tags: Readonly<Record<string, string>>;
    readonly listeners: readonly ObservedListener[];
    /** All for a CLB. For an NLB those of its listeners and those that a Service names. */
    readonly serverGroups: readonly ObservedServerGroup[];
};
