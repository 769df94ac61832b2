import type { NlbDesired } from "../../../provider/builder";
import { defaultLoadBalancerName } from "../../../provider/model/names";
import type { NlbServerGroup } from "../../../provider/model/nlb";
import type { ObservedNlb, ObservedNlbServerGroup } from "../../../provider/model/observed";
import { sharePort } from "../../../provider/plan";
import { compareAttributes, type Difference } from "../../../provider/plan/adoption";
import { nlbGroupAttributes, serverGroupOptions } from "../../nlb/server-group";
import { type ComparedGroups, compareGroups } from "../groups";
import { type AdoptionSpec, known } from "../spec";
import { compareNlbAttributes } from "./attributes";
import { addressOf } from "./listeners";
import { observeNlbGroup, observeNlbGroupOptions, tagsOf } from "./observe";

/** Server groups of an NLB, with what of their attributes is not as the Service says. */
export interface ComparedNlbGroups extends ComparedGroups<ObservedNlbServerGroup> {
    /** Inputs of the plugin that stay as they are, by the group's key. */
    readonly keep: Readonly<Record<string, readonly string[]>>;
}

/** Holds the server groups against those that the Service wants: names, members and attributes. */
export function compareNlbGroups(spec: AdoptionSpec<NlbDesired>, observed: ObservedNlb): ComparedNlbGroups {
    const groups = compareGroups(spec, observed, {
        noun: "server group",
        usedBy: (key) => usedBy(spec, observed, key),
    });
    const keep: Record<string, readonly string[]> = {};
    const differences = spec.desired.serverGroups.flatMap((model): readonly Difference[] => {
        const found = groups.found[model.key];
        if (found === undefined) return [];
        const compared = compareOne(spec, observed, model, found);
        keep[model.key] = compared.keep;
        return compared.differences;
    });
    return { ...groups, keep, differences: [...groups.differences, ...differences] };
}

function usedBy({ desired }: AdoptionSpec<NlbDesired>, { listeners }: ObservedNlb, key: string) {
    const models = desired.listeners.filter(({ serverGroup }) => serverGroup === key).map(addressOf);
    const there = listeners.filter((listener) => models.some((address) => sharePort(address, listener)));
    return new Set(there.map(({ serverGroupId }) => serverGroupId));
}

function compareOne(
    { uid, clusterId, resourceGroupId }: AdoptionSpec,
    { vpcId }: ObservedNlb,
    model: NlbServerGroup,
    found: ObservedNlbServerGroup,
) {
    const object = `server group ${found.name}`;
    const { healthCheck, ...attributes } = nlbGroupAttributes(model, {
        name: found.name,
        vpcId: vpcId ?? "",
        ownerName: defaultLoadBalancerName(uid),
        clusterId,
        resourceGroupId,
    });
    const compared = compareNlbAttributes(
        object,
        known({
            // What the plugin would take away from a group, because the program does not say it.
            "healthCheck.healthCheckReq": "",
            "healthCheck.healthCheckExp": "",
            ...attributes,
            ...Object.fromEntries(
                Object.entries(healthCheck ?? {}).map(([name, value]) => [`healthCheck.${name}`, value as unknown]),
            ),
        }),
        observeNlbGroup(found, tagsOf(found.attributes["Tags"])),
    );
    const options = compareAttributes(object, serverGroupOptions(model), observeNlbGroupOptions(found)).filter(
        ({ attribute }) => attribute !== "ConnectionDrainTimeout" || attributes.connectionDrainTimeout === undefined,
    );
    return { keep: compared.keep, differences: [...compared.differences, ...options] };
}
