import { nlbListenerMark } from "../../provider/nlb/listener";
import type { NlbServerGroup } from "../../provider/nlb/server-group";
import { nlbAddressType } from "../../provider/nlb/load-balancer";
import type { NlbListener } from "../../provider/nlb/listener";
import type { NlbDesired } from "../../provider/plan/desired";
import { type Adoption, difference, type Difference, differencesOf, groupKeep } from "../../provider/plan/adoption";
import type { ObservedNlb } from "../../provider/plan/adoption-read";
import { type Attributes, diffAttributes } from "../../provider/plan/diff";
import { defined } from "../../provider/schema/defined";
import { portText, sharePort } from "../../provider/schema/listener-address";
import { defaultLoadBalancerName, sameOwner } from "../../provider/schema/names";
import type { ZoneMap } from "../../provider/schema/settings";
import { nlbListenerAttributes } from "../nlb/listener";
import { nlbInstanceAttributes } from "../nlb/load-balancer";
import { sourceRules } from "../nlb/security-group";
import { nlbGroupAttributes, serverGroupOptions } from "../nlb/server-group";
import { type ComparedGroups, compareGroups } from "./groups";
import {
    type AdoptionSpec,
    compareInstanceIdentity,
    compareReuse,
    type Comparison,
    missingObject,
    noteReason,
    refusal,
    settledAttributes,
    spareListeners,
    unmanagedObject,
    userTags,
} from "./spec";

type Spec = AdoptionSpec<NlbDesired>;

/** Compares an observed NLB with what a Service asks for. */
export function compareNlb(spec: Spec, observed: ObservedNlb): Comparison {
    const own = spec.reuse === undefined;
    const instance = own ? compareInstance(spec, observed) : { keep: [], differences: [] };
    const zones = own ? compareZones(spec, observed) : [];
    const groups = compareNlbGroups(spec, observed);
    const listeners = spec.desired.listeners.map((model) => compareListener(spec, observed, groups.targets, model));
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

function compareInstance(spec: Spec, observed: ObservedNlb): Compared {
    const { desired, references, uid, owner, resourceGroupId } = spec;
    const model = desired.loadBalancer;
    const ranges = observed.securityGroup;
    const { zoneMappings: _, ...attributes } = nlbInstanceAttributes(model, {
        ownerName: defaultLoadBalancerName(uid),
        clusterId: owner.clusterId,
        vpcId: spec.vpcId ?? observed.vpcId ?? "",
        zoneMappings: [],
        securityGroupIds: [
            ...(references.securityGroupIds ?? model.securityGroupIds),
            ...(model.sourceRanges.length === 0 ? [] : [ranges?.id ?? "(to be created)"]),
        ],
        resourceGroupId,
    });
    // The limit of new connections is nothing that a Service says, and the plugin would take it away.
    return compare("load balancer", { cps: "", ...attributes }, instanceInputs(observed));
}

/** Inputs of the plugin for an observed instance, without its zones. */
function instanceInputs(observed: ObservedNlb): Attributes {
    const { addressType, ipv6AddressType, modificationProtection } = observed;
    return {
        loadBalancerName: observed.name,
        vpcId: observed.vpcId,
        addressType: wordOf(addressType),
        addressIpVersion: observed.ipVersion,
        ipv6AddressType: wordOf(ipv6AddressType),
        crossZoneEnabled: observed.crossZoneEnabled !== "off",
        securityGroupIds: observed.securityGroupIds ?? [],
        resourceGroupId: observed.resourceGroupId,
        deletionProtectionEnabled: observed.deleteProtection === "on",
        modificationProtectionStatus: modificationProtection,
        modificationProtectionReason: observed.modificationProtectionReason,
        cps: observed.cps,
        tags: userTags(observed.tags),
    };
}

const wordOf = (word: string | undefined) => (word === "internet" || word === "intranet" ? nlbAddressType(word) : word);

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

/** Compares the zones of an instance, one line per difference. An unspecified address matches any. */
function compareZones({ desired, references }: Spec, { zoneMaps = [] }: ObservedNlb): Difference[] {
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

/** Server groups with their names, members and attributes, and the inputs to keep by the group's key. */
function compareNlbGroups(
    spec: Spec,
    observed: ObservedNlb,
): ComparedGroups<ObservedNlb["serverGroups"][number]> & Pick<Adoption, "keep"> {
    const groups = compareGroups(spec, observed, "server group");
    const compared = spec.desired.serverGroups.flatMap((model) => {
        const found = groups.found[model.key];
        return found === undefined ? [] : [[model.key, compareOne(spec, observed, model, found)] as const];
    });
    return {
        ...groups,
        keep: Object.fromEntries(compared.map(([key, { keep }]) => [key, keep])),
        differences: [...groups.differences, ...compared.flatMap(([, { differences }]) => differences)],
    };
}

function compareOne(
    { uid, owner, resourceGroupId }: Spec,
    { vpcId }: ObservedNlb,
    model: NlbServerGroup,
    found: ObservedNlb["serverGroups"][number],
): Compared {
    const object = `server group ${found.name}`;
    const identity = { name: found.name, ownerName: defaultLoadBalancerName(uid), clusterId: owner.clusterId };
    const attributes = nlbGroupAttributes(model, { ...identity, vpcId: vpcId ?? "", resourceGroupId });
    const actual = nlbGroupAttributes(found, {
        ...identity,
        vpcId: found.vpcId ?? "",
        resourceGroupId: found.resourceGroupId,
    });
    // The plugin would remove these from a group, because the program does not set them.
    const unset = { "healthCheck.healthCheckReq": "", "healthCheck.healthCheckExp": "" };
    const compared = compare(
        object,
        { ...unset, ...flattened(attributes) },
        {
            ...flattened(actual),
            addressIpVersion: found.ipVersion === "ipv4" ? "ipv4" : "DualStack",
            "healthCheck.healthCheckReq": found.checkRequest,
            "healthCheck.healthCheckExp": found.checkAnswer,
            tags: userTags(found.tags),
        },
    );
    const options = differencesOf(
        object,
        diffAttributes(serverGroupOptions(model), {
            ConnectionDrainTimeout: found.drainTimeout,
            IpVersionAffinityMode: found.affinity,
        }),
    ).filter(
        ({ attribute }) => attribute !== "ConnectionDrainTimeout" || attributes.connectionDrainTimeout === undefined,
    );
    return { keep: compared.keep, differences: [...compared.differences, ...options] };
}

/** Inputs with those of the health check one by one, because a program sets only a part of them. */
function flattened({ healthCheck, ...attributes }: ReturnType<typeof nlbGroupAttributes>): Attributes {
    const checks = Object.entries(healthCheck ?? {}).map(([name, value]) => [`healthCheck.${name}`, value as unknown]);
    return { ...attributes, ...(Object.fromEntries(checks) as Attributes) };
}

/** Compares a desired listener with the one on its port, or on its range of ports. */
function compareListener(
    spec: Spec,
    observed: ObservedNlb,
    groupIds: Readonly<Record<string, string>>,
    model: NlbListener,
): Compared & { readonly key: string; readonly id?: string } {
    const { key, protocol } = model;
    const object = `listener ${protocol}:${portText(model)}`;
    const mark = nlbListenerMark(model, spec.owner);
    const found = observed.listeners.find((listener) => sharePort(listener, model));
    if (found === undefined) return { key, keep: [], differences: [missingObject(object)] };
    const problem = whyNot(object, model, found, mark);
    if (problem !== undefined) return { key, keep: [], differences: [problem] };
    const desired = {
        // The plugin would remove these from a listener, because the program does not set them.
        mss: "",
        tags: {},
        ...nlbListenerAttributes(model, mark, spec.references.certId),
        serverGroupId: groupIds[model.serverGroup] ?? "(to be created)",
    };
    const { description, status, mss, tags, serverGroupId } = found;
    const own = { status, mss, tags: userTags(tags), serverGroupId };
    const { keep, differences } = compare(object, desired, { ...nlbListenerAttributes(found, description), ...own });
    return { key, id: found.id, keep, differences: [...differences, ...compareCertificates(object, model, found)] };
}

function whyNot(
    object: string,
    model: NlbListener,
    found: ObservedNlb["listeners"][number],
    mark: string,
): Difference | undefined {
    if (portText(found) !== portText(model)) return refusal(object, "ports", portText(found), portText(model));
    if (found.protocol !== model.protocol) return refusal(object, "protocol", found.protocol, model.protocol);
    return found.description !== "" && !sameOwner(found.description, mark)
        ? refusal(object, "description", found.description, mark)
        : undefined;
}

/** The run that takes over adds and removes certificates of further domains. */
function compareCertificates(
    object: string,
    { tls }: NlbListener,
    { tls: actual }: ObservedNlb["listeners"][number],
): Difference[] {
    const [desired, observed] = [tls?.additionalCertIds ?? [], actual?.additionalCertIds ?? []];
    const differs = (id: string, before: string, after: string): Difference =>
        difference({ verdict: "differs", object, attribute: `certificate ${id}`, observed: before, desired: after });
    const absent = desired.filter((id) => !observed.includes(id)).map((id) => differs(id, "-", "there"));
    const surplus = observed.filter((id) => !desired.includes(id));
    return [
        ...absent,
        ...surplus.map((id) =>
            desired.length > 0 ? differs(id, "there", "-") : unmanagedObject(object, `certificate ${id}`),
        ),
    ];
}

/**
 * Attributes that the cloud cannot change on an existing object. Adopted with a difference, they would cause a
 * replacement in the next run.
 */
const IMMUTABLE = new Set([
    "vpcId",
    "addressIpVersion",
    "protocol",
    "serverGroupType",
    "anyPortEnabled",
    "listenerPort",
    "startPort",
    "endPort",
    "listenerProtocol",
]);

/** Words that the API takes in any case. */
const WORDS = new Set([
    "addressType",
    "addressIpVersion",
    "ipv6AddressType",
    "scheduler",
    "serverGroupType",
    "status",
    "healthCheck.healthCheckType",
    "healthCheck.httpCheckMethod",
]);

/** Differences of an object, and the plugin inputs that are not compared when it is imported. */
interface Compared {
    readonly differences: readonly Difference[];
    readonly keep: readonly string[];
}

/** Compares inputs of the plugin. A part of an input has a point in its name. */
function compare(object: string, desired: Attributes, observed: Attributes): Compared {
    const found = differencesOf(object, diffAttributes(settledAttributes(desired), observed));
    const differences = found
        .filter((one) => !WORDS.has(one.attribute) || one.observed.toLowerCase() !== one.desired.toLowerCase())
        .map((one) => (IMMUTABLE.has(one.attribute) ? difference({ ...one, verdict: "refused" }) : noteReason(one)));
    return { differences, keep: [...new Set(found.map(({ attribute }) => attribute.split(".")[0] ?? attribute))] };
}
