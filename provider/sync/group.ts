/** One server group: its observed members, and how they come to be the desired ones. */
import { MissingInterfaces, applyMembership, type GroupApi } from "../deploy/backends";
import { isEmpty, type Member, type MembershipPlan, planMembership } from "../backend/member";
import type { BackendServer } from "../model/backend";
import { sameOwner } from "../model/names";
import { ownMembers, type RecordedMembers } from "../observe/members";
import type { BindingSpec } from "./binding/spec";
import { memberKey } from "./reconcile";
import { URGENCY, type Urgency } from "./slots";

/** Members of a group as the cloud had them at the last read, and every write since. */
export class ObservedGroup {
    readonly #own = new Map<string, RecordedMembers>();

    constructor(readonly servers: readonly BackendServer[]) {}

    /** Managed members that carry an ownership mark. */
    own(mark: string): RecordedMembers {
        return this.#own.get(mark) ?? ownMembers(this.servers, mark);
    }

    /** Number of members that carry none of these marks. */
    userManaged(marks: readonly string[]): number {
        return this.servers.filter(({ description }) => !marks.some((mark) => sameOwner(description, mark))).length;
    }

    /** Takes note of a write that the cloud has accepted. */
    wrote(mark: string, members: RecordedMembers): void {
        this.#own.set(mark, members);
    }
}

/** What a write has changed. */
export interface Applied {
    readonly added: number;
    readonly updated: number;
    readonly removed: number;
    /** Addresses of pods that no network interface leads to. */
    readonly missing: readonly string[];
}

const NOTHING: Applied = { added: 0, updated: 0, removed: 0, missing: [] };

/** What has to change in a group. */
export function planOf(spec: BindingSpec, group: ObservedGroup, desired: readonly Member[]): MembershipPlan {
    return planMembership(group.own(spec.ownershipMark).members, desired, {
        ignoreWeights: spec.ignoreWeightUpdate ?? false,
    });
}

/** How urgent a plan is. */
export function urgencyOf(own: readonly Member[], plan: MembershipPlan): Urgency {
    if (!own.some(({ weight }) => weight > 0)) return URGENCY.empty;
    const dead = plan.remove.some(({ weight }) => weight > 0) || plan.update.some(({ weight }) => weight === 0);
    return dead ? URGENCY.dead : URGENCY.usual;
}

/**
 * Gives a group its desired members; no call where it has them. What is observed follows what was written.
 *
 * @throws what the cloud refused; the group has to be read again then
 */
export async function applyToGroup(
    api: GroupApi,
    spec: BindingSpec,
    group: ObservedGroup,
    desired: readonly Member[],
): Promise<Applied> {
    const plan = planOf(spec, group, desired);
    if (isEmpty(plan)) return NOTHING;
    const recorded = group.own(spec.ownershipMark);
    const target = {
        groupId: spec.serverGroup.id,
        description: spec.ownershipMark,
        ignoreWeights: spec.ignoreWeightUpdate ?? false,
        addresses: spec.serverGroup.type === "Ip" ? ("ip" as const) : ("eni" as const),
    };
    try {
        const serverIds = await applyMembership(api, target, recorded, desired);
        group.wrote(spec.ownershipMark, { members: written(spec, recorded.members, desired), serverIds });
    } catch (error) {
        if (!(error instanceof MissingInterfaces)) throw error;
        return { ...NOTHING, added: error.added, missing: error.ips };
    }
    return { added: plan.add.length, updated: plan.update.length, removed: plan.remove.length, missing: [] };
}

/** Members after a write: those that were there keep their weights where these are the user's. */
function written(spec: BindingSpec, before: readonly Member[], desired: readonly Member[]): readonly Member[] {
    if (spec.ignoreWeightUpdate !== true) return desired;
    const weights = new Map(before.map((member) => [memberKey(member), member.weight]));
    return desired.map((member) => ({ ...member, weight: weights.get(memberKey(member)) ?? member.weight }));
}
