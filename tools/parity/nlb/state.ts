/** The compared state of NLB in the simulated cloud. */
import type { StatedCloud } from "../../../lab/cloud";

/** All objects of NLB. */
export type NlbState = Pick<StatedCloud["nlb"], "loadBalancers" | "listeners" | "serverGroups"> &
    Pick<StatedCloud["ecs"], "securityGroups">;

export type NlbLoadBalancer = NlbState["loadBalancers"][number];

/** Listener. Its port is 0 for a range of ports. */
export type NlbListener = NlbState["listeners"][number];

/** A server group. It belongs to a VPC, not to an instance. */
export type NlbServerGroup = NlbState["serverGroups"][number];

export type SecurityGroup = NlbState["securityGroups"][number];

/** A cloud without NLB. */
export const NO_NLB: NlbState = { loadBalancers: [], listeners: [], serverGroups: [], securityGroups: [] };

/** Takes the state of a cloud apart. Jobs, locks and the like are left out, as they change by themselves. */
export function nlbStateOf({ nlb, ecs }: Pick<StatedCloud, "nlb" | "ecs">): NlbState {
    const { loadBalancers, listeners } = nlb;
    const serverGroups = nlb.serverGroups.map((group) => ({ ...group, lockedUntil: 0 }));
    return { loadBalancers, listeners, serverGroups, securityGroups: ecs.securityGroups };
}
