/** Observed server groups, and the writes that give them their desired members. */
import { isDeepStrictEqual } from "node:util";
import { MissingInterfaces, applyMembership, type GroupApi } from "../backends/apply";
import { isEmpty, type Member, memberKey, type MembershipPlan, planMembership } from "../backends/member";
import type { BackendServer } from "../schema/backend";
import { sameOwner } from "../schema/names";
import { ownMembers, type RecordedMembers } from "../backends/observed";
import { type BindingObject, bindingKeyOf } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import { URGENCY, type Urgency } from "./queue";

/** Members of a group at the last read, with every write since then. */
export class ObservedGroup {
    readonly #own = new Map<string, RecordedMembers>();

    constructor(readonly servers: readonly BackendServer[]) {}

    /** Returns the managed members of an ownership mark. */
    own(mark: string): RecordedMembers {
        return this.#own.get(mark) ?? ownMembers(this.servers, mark);
    }

    /** Returns the number of members without any of these marks. */
    userManaged(marks: readonly string[]): number {
        return this.servers.filter(({ description }) => !marks.some((mark) => sameOwner(description, mark))).length;
    }

    /** Records a write that the cloud has accepted. */
    wrote(mark: string, members: RecordedMembers): void {
        this.#own.set(mark, members);
    }
}

/** Groups that were observed, until they may have changed. */
export class ObservedGroups {
    readonly #groups = new Map<string, ObservedGroup>();
    /** Names of groups; they change only by hand and survive a read of the members. */
    readonly #names = new Map<string, string>();
    /** Specs at the last reconciliation: a run that changes one has changed the group too. */
    readonly #specs = new Map<string, unknown>();

    /** Returns a group, which is read if it is unknown; undefined if the cloud does not have it. */
    async get(
        group: string,
        read: () => Promise<readonly BackendServer[] | undefined>,
    ): Promise<ObservedGroup | undefined> {
        const known = this.#groups.get(group);
        if (known !== undefined) return known;
        const servers = await read();
        if (servers === undefined) return undefined;
        const observed = new ObservedGroup(servers);
        this.#groups.set(group, observed);
        return observed;
    }

    /** Returns the name of a group, which is read if it is unknown; undefined if the cloud does not have the group. */
    async name(group: string, read: () => Promise<string | undefined>): Promise<string | undefined> {
        const name = this.#names.get(group) ?? (await read());
        if (name !== undefined) this.#names.set(group, name);
        return name;
    }

    /** Forgets a group: it is read again at its next reconciliation. */
    forget(group: string): void {
        this.#groups.delete(group);
        this.#names.delete(group);
    }

    /** Forgets all members, and the specs of bindings that are not present. Default: all names, and no specs. */
    clear(present?: ReadonlySet<string>): void {
        this.#groups.clear();
        if (present === undefined) return this.#names.clear();
        for (const key of this.#specs.keys()) if (!present.has(key)) this.#specs.delete(key);
    }

    /** Forgets a group whose binding has another spec than before. */
    noticeSpec(group: string, binding: BindingObject): void {
        const key = bindingKeyOf(binding);
        const known = this.#specs.get(key);
        if (known !== undefined && !isDeepStrictEqual(known, binding.spec)) this.forget(group);
        this.#specs.set(key, binding.spec);
    }
}

/** Changes of a write. */
export interface Applied {
    readonly added: number;
    readonly updated: number;
    readonly removed: number;
    /** Addresses of pods without a network interface. */
    readonly missing: readonly string[];
}

const NOTHING: Applied = { added: 0, updated: 0, removed: 0, missing: [] };

/** Plans the changes of a group. */
export const planOf = (spec: BindingSpec, group: ObservedGroup, desired: readonly Member[]): MembershipPlan =>
    planMembership(group.own(spec.ownershipMark).members, desired, { ignoreWeights: spec.ignoreWeightUpdate ?? false });

/** Returns the urgency of a plan. */
export function urgencyOf(own: readonly Member[], plan: MembershipPlan): Urgency {
    if (!own.some(({ weight }) => weight > 0)) return URGENCY.empty;
    const dead = plan.remove.some(({ weight }) => weight > 0) || plan.update.some(({ weight }) => weight === 0);
    return dead ? URGENCY.dead : URGENCY.usual;
}

/**
 * Gives a group its desired members and records them; makes no call if it has them.
 *
 * @throws the cloud's refusal, after which the group must be read again
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

/** Returns the members after a write: weights of existing ones stay if they are the user's. */
function written(spec: BindingSpec, before: readonly Member[], desired: readonly Member[]): readonly Member[] {
    if (spec.ignoreWeightUpdate !== true) return desired;
    const weights = new Map(before.map((member) => [memberKey(member), member.weight]));
    return desired.map((member) => ({ ...member, weight: weights.get(memberKey(member)) ?? member.weight }));
}
