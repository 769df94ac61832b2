/** Observed server groups, and the writes that give them their desired members. */
import { isDeepStrictEqual } from "node:util";
import { applyBackends, type GroupApi, type Rejected, RejectedBackends } from "../backends/apply";
import { diffBackends, type GroupDifference, isEmpty, managed } from "../backends/diff";
import type { Backend } from "../schema/backend";
import { once } from "../schema/defined";
import { sameOwner } from "../schema/names";
import { type BindingObject, bindingKeyOf } from "./binding/object";
import type { BindingSpec } from "./binding/spec";
import { URGENCY, type Urgency } from "./queue";

/** Members of a group at the last read, with every write since then. */
export class ObservedGroup {
    readonly #own = new Map<string, readonly Backend[]>();

    constructor(readonly servers: readonly Backend[]) {}

    own(mark: string): readonly Backend[] {
        return this.#own.get(mark) ?? managed(this.servers, mark);
    }

    /** Returns the number of members without any of these marks. */
    userManaged(marks: readonly string[]): number {
        return this.servers.filter((one) => !marks.some((mark) => sameOwner(one.mark, mark))).length;
    }

    wrote(mark: string, backends: readonly Backend[]): void {
        this.#own.set(mark, backends);
    }
}

/** Groups that were observed, until they may have changed. */
export class ObservedGroups {
    readonly #groups = new Map<string, ObservedGroup>();
    /** Names of groups, which change only by hand and survive a read of the members. */
    readonly #names = new Map<string, string>();
    /** Specs at the last reconciliation. A run that changes a spec has changed the group too. */
    readonly #specs = new Map<string, unknown>();

    /** Returns a group, which is read if it is unknown, or undefined if the cloud does not have it. */
    async get(group: string, read: () => Promise<readonly Backend[] | undefined>): Promise<ObservedGroup | undefined> {
        const servers = this.#groups.get(group)?.servers ?? (await read());
        return servers && once(this.#groups, group, () => new ObservedGroup(servers));
    }

    /**
     * Returns the name of a group, which is read if it is unknown, or undefined if the cloud does not have the group.
     */
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

export interface Applied extends GroupDifference {
    /** Backends that the group did not take. */
    readonly rejected: readonly Rejected[];
}

const NOTHING: Applied = { add: [], update: [], remove: [], rejected: [] };

export const planOf = (spec: BindingSpec, group: ObservedGroup, desired: readonly Backend[]): GroupDifference =>
    diffBackends(group.own(spec.ownershipMark), desired, { ignoreWeights: spec.ignoreWeightUpdate ?? false });

export function urgencyOf(own: readonly Backend[], { update, remove }: GroupDifference): Urgency {
    if (!own.some(({ weight }) => weight > 0)) return URGENCY.empty;
    const dead = remove.some(({ weight }) => weight > 0) || update.some(({ weight }) => weight === 0);
    return dead ? URGENCY.dead : URGENCY.usual;
}

/**
 * Gives a group its desired members and records them, or makes no call if it has them.
 *
 * @throws the cloud's refusal, after which the group must be read again
 */
export async function applyToGroup(
    api: GroupApi,
    spec: BindingSpec,
    group: ObservedGroup,
    desired: readonly Backend[],
): Promise<Applied> {
    const plan = planOf(spec, group, desired);
    if (isEmpty(plan)) return NOTHING;
    const target = {
        groupId: spec.serverGroup.id,
        mark: spec.ownershipMark,
        ignoreWeights: spec.ignoreWeightUpdate ?? false,
        addresses: spec.serverGroup.type === "Ip" ? ("ip" as const) : ("eni" as const),
        vpcId: spec.vpcId,
    };
    try {
        group.wrote(target.mark, await applyBackends(api, target, group.own(target.mark), desired));
    } catch (error) {
        if (!(error instanceof RejectedBackends)) throw error;
        return { ...NOTHING, add: error.added, rejected: error.rejected };
    }
    return { ...plan, rejected: [] };
}
