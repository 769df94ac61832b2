import { type BackendAddress, formatBackendKey, parseBackendKey } from "./key";
import type { Backends } from "../model/backend";

/** A member of a server group, desired or observed. */
export interface Member {
    readonly address: BackendAddress;
    /** For ecs the group's port, for eni the pod's own, unless its key leaves that to the group too. */
    readonly port: number;
    readonly weight: number;
}

/** One server group's members: their map, and the port of those whose keys name none. */
export interface Membership {
    readonly backends: Backends;
    /** nodePort of the Service, or 0 for a range of ports; needed as soon as one key names no port. */
    readonly port?: number;
}

/** Ordered changes of a group's members: add, then update, then remove, so that capacity never dips. */
export interface MembershipPlan {
    readonly add: readonly Member[];
    readonly update: readonly Member[];
    readonly remove: readonly Member[];
}

/** Options of a plan. */
export interface PlanOptions {
    /** Leave the weight of a member that is already there alone. Source: "Configure CLB using annotations", ignore-weight-update. */
    readonly ignoreWeights?: boolean;
    /** The ownership mark has changed: members that stay are written again. */
    readonly remark?: boolean;
}

/**
 * What turns the current members into the desired ones.
 *
 * A member is identified by its address and port; a new nodePort therefore adds the node on the new port before it is removed from the old one.
 */
export function planMembership(
    current: readonly Member[],
    desired: readonly Member[],
    options: PlanOptions = {},
): MembershipPlan {
    const before = byIdentity(current);
    const after = byIdentity(desired);
    return {
        add: [...after].filter(([identity]) => !before.has(identity)).map(([, member]) => member),
        update: [...after]
            .filter(([identity, member]) => {
                const known = before.get(identity);
                return (
                    known !== undefined &&
                    (options.remark || (!options.ignoreWeights && known.weight !== member.weight))
                );
            })
            .map(([identity, member]) =>
                options.ignoreWeights ? { ...member, weight: before.get(identity)?.weight ?? member.weight } : member,
            ),
        remove: [...before].filter(([identity]) => !after.has(identity)).map(([, member]) => member),
    };
}

/** Whether a plan changes anything. */
export function isEmpty(plan: MembershipPlan): boolean {
    return plan.add.length + plan.update.length + plan.remove.length === 0;
}

/**
 * The members that a membership stands for.
 *
 * @throws Error if a backend without a port stands in a membership without one, or a key names no backend.
 */
export function membersOf(membership: Membership): Member[] {
    return Object.entries(membership.backends).map(([key, { weight }]) => {
        const address = parseBackendKey(key);
        const port = address.port ?? membership.port;
        if (port === undefined) {
            throw new Error(`backend ${key} names no port, and the server group has no nodePort for it`);
        }
        return { address, port, weight };
    });
}

function byIdentity(members: readonly Member[]): Map<string, Member> {
    return new Map(members.map((member) => [formatBackendKey({ ...member.address, port: member.port }), member]));
}
