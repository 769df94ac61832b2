import type { ObservedClb, ObservedServerGroup } from "../../provider/model/observed";
import { ownBackends } from "../../provider/observe/members";
import { compareBackends, difference, type Difference } from "../../provider/plan/adoption";
import { keyOf, type AdoptionSpec, type DesiredGroup } from "./spec";

/** vServer groups that can be taken over, by key, and what of them is not as the cluster says. */
export interface ComparedGroups {
    readonly ids: Readonly<Record<string, string>>;
    readonly differences: readonly Difference[];
}

/** Holds the groups that bear the Service's name against those that it wants. */
export function compareGroups(spec: AdoptionSpec, observed: ObservedClb): ComparedGroups {
    const ids: Record<string, string> = {};
    const differences = spec.groups.flatMap((group): Difference[] => {
        const object = `vServer group ${group.name}`;
        const found = choose(spec, observed, group, Object.values(ids));
        if (found === undefined) {
            return [
                difference({
                    verdict: "note",
                    object,
                    attribute: "",
                    observed: "-",
                    desired: `will be created for ${group.key}`,
                }),
            ];
        }
        if (found === "ambiguous") {
            return [
                difference({
                    verdict: "refused",
                    object,
                    attribute: "name",
                    observed: "several groups, none of them used",
                    desired: "one group of this name",
                }),
            ];
        }
        ids[group.key] = found.id;
        return compareMembers(spec, group, found);
    });
    return { ids, differences };
}

/** TCP and UDP ports of one nodePort have groups of one name; which is whose follows from the listener in front. */
function choose(
    { desired }: AdoptionSpec,
    { serverGroups, listeners }: ObservedClb,
    { key, name }: DesiredGroup,
    taken: readonly string[],
): ObservedServerGroup | "ambiguous" | undefined {
    const ports = new Set(desired.listeners.filter(({ serverGroup }) => serverGroup === key).map((model) => model.key));
    const used = new Set(
        listeners.filter((listener) => ports.has(keyOf(listener))).map(({ serverGroupId }) => serverGroupId),
    );
    const free = serverGroups.filter((group) => group.name === name && !taken.includes(group.id));
    return free.find(({ id }) => used.has(id)) ?? (free.length > 1 ? "ambiguous" : free[0]);
}

/** An empty answer of the cluster is no order to empty a group. */
function compareMembers(
    { ignoreWeights, allowEmpty, owner }: AdoptionSpec,
    { name, nodePort, backends }: DesiredGroup,
    found: ObservedServerGroup,
): Difference[] {
    const emptied = Object.keys(backends).length === 0 && !allowEmpty;
    const observed = ownBackends(found.backends ?? [], owner, nodePort);
    return compareBackends(`vServer group ${name}`, backends, observed, ignoreWeights).map((one) =>
        emptied ? difference({ ...one, verdict: "refused" }) : one,
    );
}
