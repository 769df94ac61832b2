import type { NlbDesired } from "../../../provider/plan/desired";
import { defaultLoadBalancerName, sameOwner } from "../../../provider/schema/names";
import type { NlbServerGroup } from "../../../provider/nlb/server-group";
import { portText } from "../../../provider/schema/listener-address";
import { type Adoption, groupKeep } from "../../../provider/plan/adoption";
import type { ObservedNlb, ObservedNlbServerGroup } from "../../../provider/schema/observed";
import { sharePort } from "../../../provider/schema/listener-address";
import { compareAttributes } from "../../../provider/plan/diff";
import { difference, type Difference } from "../../../provider/plan/adoption";
import { defined } from "../../../provider/schema/defined";
import type { ZoneMap } from "../../../provider/schema/settings";
import { nlbInstanceAttributes } from "../../nlb/load-balancer";
import { sourceRules } from "../../nlb/security-group";
import { nlbGroupAttributes, serverGroupOptions } from "../../nlb/server-group";
import { type ComparedGroups, compareGroups } from "../groups";
import {
    type AdoptionSpec,
    compareInstanceIdentity,
    compareReuse,
    type Comparison,
    settledAttributes,
    missingObject,
    refusal,
    unmanagedObject,
} from "../spec";
import { compareNlbListener } from "./listeners";
import { compareNlbAttributes, observeNlbGroup, observeNlbGroupOptions, observeNlbInstance, tagsOf } from "./observe";

type Spec = AdoptionSpec<NlbDesired>;

/** Compares an observed NLB with what a Service asks for. */
export function compareNlb(spec: Spec, observed: ObservedNlb): Comparison {
    const own = spec.reuse === undefined;
    const instance = own ? compareInstance(spec, observed) : { keep: [], differences: [] };
    const zones = own ? compareZones(spec, observed) : [];
    const groups = compareNlbGroups(spec, observed);
    const listeners = spec.desired.listeners.map((model) => compareNlbListener(spec, observed, groups.targets, model));
    const { bandwidthPackageId, securityGroup } = observed;
    const adoption: Adoption = {
        loadBalancerId: observed.id,
        ...defined({ securityGroupId: securityGroup?.id }),
        ...(zones.length === 0 ? {} : { zones: observed.zoneMaps ?? [] }),
        ...defined({ bandwidthPackageId }),
        serverGroups: groups.ids,
        listeners: Object.fromEntries(listeners.flatMap(({ key, id }) => (id === undefined ? [] : [[key, id]]))),
        domainExtensions: {},
        keep: {
            // The cloud chooses addresses inside a zone that the Service leaves open.
            instance: [...instance.keep, "zoneMappings"],
            ...Object.fromEntries(listeners.map(({ key, keep }) => [key, keep])),
            ...Object.fromEntries(Object.entries(groups.keep).map(([key, keep]) => [groupKeep(key), keep])),
        },
    };
    return {
        adoption,
        differences: [
            ...(own ? compareInstanceIdentity(spec, observed) : compareReuse(spec, observed)),
            ...instance.differences,
            ...zones,
            ...(own ? [...compareBandwidthPackage(spec, observed), ...compareSourceRanges(spec, observed)] : []),
            ...groups.differences,
            ...listeners.flatMap(({ differences }) => differences),
            ...spareListeners(spec, observed),
        ],
    };
}

function compareInstance(spec: Spec, observed: ObservedNlb) {
    const { desired, references, uid, clusterId, resourceGroupId } = spec;
    const model = desired.loadBalancer;
    const ranges = observed.securityGroup;
    const { zoneMappings: _, ...attributes } = nlbInstanceAttributes(model, {
        ownerName: defaultLoadBalancerName(uid),
        clusterId,
        vpcId: model.vpcId ?? observed.vpcId ?? "",
        zoneMappings: [],
        securityGroupIds: [
            ...(references.securityGroupIds ?? model.securityGroupIds),
            ...(model.sourceRanges.length === 0 ? [] : [ranges?.id ?? "(to be created)"]),
        ],
        resourceGroupId,
    });
    // The limit of new connections is nothing that a Service says, and the plugin would take it away.
    return compareNlbAttributes(
        "load balancer",
        settledAttributes({ cps: "", ...attributes }),
        observeNlbInstance(observed),
    );
}

/** An attachment of its own: one that is there is imported. */
function compareBandwidthPackage({ desired, references }: Spec, { bandwidthPackageId }: ObservedNlb): Difference[] {
    const asked = references.bandwidthPackageId ?? desired.loadBalancer.bandwidthPackageId;
    if (typeof asked === "string" ? asked === bandwidthPackageId : asked !== undefined) return [];
    if (asked === undefined) {
        return bandwidthPackageId === undefined
            ? []
            : [unmanagedObject("load balancer", `bandwidthPackageId ${bandwidthPackageId}`)];
    }
    return [refusal("load balancer", "bandwidthPackageId", bandwidthPackageId ?? "-", String(asked))];
}

/** Rules of the security group are set by the run that takes over. */
function compareSourceRanges({ desired }: Spec, { securityGroup }: ObservedNlb): Difference[] {
    const rules = sourceRules(desired.loadBalancer);
    if (Object.keys(rules).length === 0) return [];
    const object = "security group of loadBalancerSourceRanges";
    if (securityGroup === undefined) return [missingObject(object)];
    const ranges = [...new Set([...Object.keys(rules), ...Object.keys(securityGroup.rules)])].sort();
    return ranges
        .filter((range) => rules[range] !== securityGroup.rules[range])
        .map((range) =>
            difference({
                verdict: "differs",
                object,
                attribute: range,
                observed: securityGroup.rules[range] ?? "-",
                desired: rules[range] ?? "-",
            }),
        );
}

function spareListeners({ desired, owner }: Spec, { listeners }: ObservedNlb): Difference[] {
    return listeners
        .filter(({ description }) => sameOwner(description, owner))
        .filter((listener) => !desired.listeners.some((model) => sharePort(model, listener)))
        .map(({ protocol, port, endPort }) => unmanagedObject(`listener ${protocol}:${portText({ port, endPort })}`));
}

/** Compares the zones of an instance, one line per difference. An unspecified address matches any. */
export function compareZones(
    { desired, references }: AdoptionSpec<NlbDesired>,
    { zoneMaps = [] }: ObservedNlb,
): Difference[] {
    const zones = desired.loadBalancer.zones.map((zone) => {
        const given = references.zoneVswitches?.[zone.zoneId];
        // A vSwitch that another resource of the program makes is known only then.
        return {
            ...zone,
            vswitchId: given === undefined ? zone.vswitchId : typeof given === "string" ? given : undefined,
        };
    });
    const ids = [...new Set([...zones, ...zoneMaps].map(({ zoneId }) => zoneId))].sort();
    return ids.flatMap((zoneId) => {
        const asked = zones.find((zone) => zone.zoneId === zoneId);
        const actual = zoneMaps.find((zone) => zone.zoneId === zoneId);
        if (asked !== undefined && actual !== undefined && fits(asked, actual)) return [];
        return [
            difference({
                verdict: "differs",
                object: "load balancer",
                attribute: `zone ${zoneId}`,
                observed: text(actual),
                desired: text(asked),
            }),
        ];
    });
}

type AskedZone = Omit<ZoneMap, "vswitchId"> & { readonly vswitchId: string | undefined };

function fits(asked: AskedZone, actual: ZoneMap): boolean {
    return (["vswitchId", "privateIpv4", "allocationId"] as const).every(
        (key) => asked[key] === undefined || asked[key] === actual[key],
    );
}

function text(zone: AskedZone | undefined): string {
    return zone === undefined
        ? "-"
        : [zone.vswitchId ?? "(to be created)", zone.privateIpv4, zone.allocationId]
              .filter((part) => part !== undefined)
              .join(" ");
}

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
    const models = desired.listeners.filter(({ serverGroup }) => serverGroup === key);
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
        settledAttributes({
            // The plugin would remove these from a group, because the program does not set them.
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
