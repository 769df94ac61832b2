import { managed } from "../../provider/backends/diff";
import { toMap } from "../../provider/schema/backend";
import { sharePort } from "../../provider/schema/listener-address";
import type { ObservedListener, ObservedLoadBalancer, ObservedServerGroup } from "../../provider/schema/observed";
import { diffBackendMaps } from "../../provider/plan/diff";
import { type Difference, differencesOf } from "../../provider/plan/adoption";
import { type AdoptionSpec, type DesiredGroup, missingObject, refusal, unmanagedObject } from "./spec";

/** Server groups that can be taken over, by key, and what of their names and members is not as the cluster says. */
export interface ComparedGroups<Group extends ObservedServerGroup> {
    readonly ids: Readonly<Record<string, string>>;
    /** Target groups of the listeners, by key: groups that can be adopted, and groups that the Service joins. */
    readonly targets: Readonly<Record<string, string>>;
    readonly found: Readonly<Record<string, Group>>;
    readonly differences: readonly Difference[];
}

/** Compares the groups that the Service builds or joins with those that have its name. */
export function compareGroups<Group extends ObservedServerGroup>(
    spec: AdoptionSpec,
    { serverGroups, listeners }: { readonly serverGroups: readonly Group[] } & Pick<ObservedLoadBalancer, "listeners">,
    noun: string,
): ComparedGroups<Group> {
    const found: Record<string, Group> = {};
    const differences = spec.groups.flatMap((group): Difference[] => {
        const object = `${noun} ${group.joined ?? group.name}`;
        const taken = new Set(Object.values(found).map(({ id }) => id));
        const chosen = choose(
            serverGroups.filter(({ id }) => !taken.has(id)),
            group,
            usedBy(spec, listeners, group.key),
        );
        if (chosen === undefined) {
            return group.joined === undefined
                ? [missingObject(object, `will be created for ${group.key}`)]
                : [refusal(object, "", "-", "there")];
        }
        if (chosen === "ambiguous") {
            return [refusal(object, "name", "several groups, none of them used", "one group of this name")];
        }
        if (group.joined === undefined) found[group.key] = chosen;
        return compareMembers(spec, object, group, chosen);
    });
    const unused = serverGroups.filter(({ id, name }) =>
        spec.groups.every((group) => group.name !== name && group.joined !== id),
    );
    const ids = Object.fromEntries(Object.entries(found).map(([key, { id }]) => [key, id]));
    const joined = spec.groups.flatMap((group) => (group.joined === undefined ? [] : [[group.key, group.joined]]));
    return {
        ids,
        targets: { ...ids, ...(Object.fromEntries(joined) as Record<string, string>) },
        found,
        differences: [...differences, ...unused.map(({ name }) => unmanagedObject(`${noun} ${name}`))],
    };
}

/** Ids of the groups behind the observed listeners on the ports of a desired group. */
function usedBy(
    { desired }: AdoptionSpec,
    listeners: readonly ObservedListener[],
    key: string,
): Set<string | undefined> {
    const models = desired.listeners.filter(({ serverGroup }) => serverGroup === key);
    const found = listeners.filter((listener) => models.some((model) => sharePort(model, listener)));
    return new Set(found.map(({ serverGroupId }) => serverGroupId));
}

/** Selects the group of a name by its listener. A CLB's TCP and UDP ports of one nodePort have groups of one name. */
function choose<Group extends ObservedServerGroup>(
    free: readonly Group[],
    { name, joined }: DesiredGroup,
    used: ReadonlySet<string | undefined>,
): Group | "ambiguous" | undefined {
    if (joined !== undefined) return free.find(({ id }) => id === joined);
    const named = free.filter((group) => group.name === name);
    return named.find(({ id }) => used.has(id)) ?? (named.length > 1 ? "ambiguous" : named[0]);
}

/** An empty answer of the cluster is no order to empty a group. */
function compareMembers(
    { ignoreWeights, allowEmpty, mark }: AdoptionSpec,
    object: string,
    { port, addressesOnPort, backends }: DesiredGroup,
    found: ObservedServerGroup,
): Difference[] {
    const emptied = Object.keys(backends).length === 0 && !allowEmpty;
    const observed = toMap(managed(found.backends ?? [], mark), port, addressesOnPort);
    return differencesOf(object, diffBackendMaps(backends, observed, ignoreWeights), emptied ? "refused" : "differs");
}
