import { type NlbListener, nlbListenerMark, type ObservedNlbListener } from "../../provider/nlb/listener";
import type { NlbServerGroup } from "../../provider/nlb/server-group";
import { type Adoption, groupKeep } from "../../provider/plan/adoption";
import type { ObservedNlb } from "../../provider/plan/adoption-read";
import type { NlbDesired } from "../../provider/plan/desired";
import { type Attributes, type Differing, diffTexts } from "../../provider/plan/diff";
import { toObservedNlbAttributes } from "../../provider/plan/reuse/instances";
import { defined } from "../../provider/schema/defined";
import type { ZoneMap } from "../../provider/schema/settings";
import { nlbListenerAttributes } from "../nlb/listener";
import { nlbInstanceAttributes, sourceRules } from "../nlb/load-balancer";
import { nlbGroupAttributes, serverGroupOptions } from "../nlb/server-group";
import { type AdoptionSpec, Comparison, listenerObject, userTags } from "./comparison";

type NlbComparison = Comparison<NlbDesired, ObservedNlb>;

const RULES = {
    /** With a difference, an adopted object would be replaced in the next run. */
    immutable:
        /^(vpcId|addressIpVersion|protocol|serverGroupType|anyPortEnabled|(listener|start|end)Port|listenerProtocol)$/,
    words: /^(addressType|addressIpVersion|ipv6AddressType|scheduler|serverGroupType|status)$|Check(Type|Method)$/,
};

/** Compares an observed NLB with what a Service asks for. */
export function compareNlb(spec: AdoptionSpec<NlbDesired>, observed: ObservedNlb) {
    const comparison = new Comparison(spec, observed, RULES);
    const zones = !comparison.reuse(toObservedNlbAttributes(observed)) && compareInstance(comparison);
    const groups = comparison.groups("server group");
    for (const model of spec.desired.serverGroups) {
        const found = groups[model.key];
        if (found !== undefined) compareGroup(comparison, model, found);
    }
    for (const model of spec.desired.listeners) compareListener(comparison, model);
    comparison.spareListeners();
    // The cloud chooses addresses inside a zone that the Service leaves open.
    const instance = [...(comparison.adopted.keep["instance"] ?? []), "zoneMappings"];
    const adoption: Adoption = defined({
        loadBalancerId: observed.id,
        securityGroupId: observed.securityGroup?.id,
        zones: zones ? observed.zones : undefined,
        bandwidthPackageId: observed.bandwidthPackageId,
        ...comparison.adopted,
        keep: { ...comparison.adopted.keep, instance },
    });
    return { adoption, differences: comparison.differences };
}

/** Returns true if zones differ. */
function compareInstance(comparison: NlbComparison): boolean {
    const { ownerName, tags, resourceGroupId, observed } = comparison;
    const { desired, references, facts } = comparison.spec;
    const model = desired.loadBalancer;
    const ownSecurityGroups = model.sourceRanges.length === 0 ? [] : [observed.securityGroup?.id ?? "(to be created)"];
    const identity = { ownerName, tags, zoneMappings: [] };
    const attributes = nlbInstanceAttributes(model, {
        ...identity,
        vpcId: facts.vpcId ?? observed.vpcId ?? "",
        securityGroupIds: [...(references.securityGroupIds ?? model.securityGroupIds), ...ownSecurityGroups],
        resourceGroupId,
    });
    const actual = nlbInstanceAttributes(observed, {
        ...identity,
        vpcId: observed.vpcId ?? "",
        securityGroupIds: [...observed.securityGroupIds],
        resourceGroupId: observed.resourceGroupId,
    });
    const { cps, modificationProtectionReason } = observed;
    comparison.inputs(
        "instance",
        "load balancer",
        // The limit of new connections is nothing that a Service says, and the plugin would take it away.
        { cps: "", ...attributes },
        { ...actual, cps, modificationProtectionReason, tags: userTags(observed.tags) },
    );
    const zones = diffZones(comparison);
    comparison.differing("load balancer", zones);
    compareBandwidthPackage(comparison);
    compareSourceRanges(comparison);
    return zones.length > 0;
}

/** A package is attached by a resource: an attachment that exists is imported. */
function compareBandwidthPackage(comparison: NlbComparison): void {
    const { references, desired } = comparison.spec;
    const actual = comparison.observed.bandwidthPackageId;
    const asked = references.bandwidthPackageId ?? desired.loadBalancer.bandwidthPackageId;
    if (typeof asked === "string" ? asked === actual : asked !== undefined) return;
    if (asked !== undefined) comparison.add("refused", "load balancer", "bandwidthPackageId", actual, String(asked));
    else if (actual !== undefined) comparison.unmanaged("load balancer", `bandwidthPackageId ${actual}`);
}

/** Rules of the security group are set by the run that takes over. */
function compareSourceRanges(comparison: NlbComparison): void {
    const { securityGroup } = comparison.observed;
    const rules = sourceRules(comparison.spec.desired.loadBalancer);
    if (Object.keys(rules).length === 0) return;
    const object = "security group of loadBalancerSourceRanges";
    if (securityGroup === undefined) comparison.missing(object);
    else comparison.differing(object, diffTexts("", rules, securityGroup.rules));
}

/** Returns the zones of an instance that differ. An unspecified address matches any. */
function diffZones({ spec: { desired, references }, observed }: NlbComparison): Differing[] {
    const zones = desired.loadBalancer.zones.map((zone): AskedZone => {
        const given = references.zoneVswitches?.[zone.zoneId];
        // A vSwitch that another resource of the program makes is known only then.
        return given === undefined ? zone : { ...zone, vswitchId: typeof given === "string" ? given : undefined };
    });
    const texts = (list: readonly AskedZone[]) => Object.fromEntries(list.map((zone) => [zone.zoneId, textOf(zone)]));
    const found = observed.zones.map((zone) => {
        const asked = zones.find(({ zoneId }) => zoneId === zone.zoneId);
        return asked !== undefined && fits(asked, zone) ? asked : zone;
    });
    return diffTexts("zone ", texts(zones), texts(found));
}

type AskedZone = Omit<ZoneMap, "vswitchId"> & { readonly vswitchId: string | undefined };

function fits(asked: AskedZone, actual: ZoneMap): boolean {
    return (["vswitchId", "privateIpv4", "allocationId"] as const).every(
        (key) => asked[key] === undefined || asked[key] === actual[key],
    );
}

const textOf = ({ vswitchId = "(to be created)", privateIpv4, allocationId }: AskedZone): string =>
    [vswitchId, privateIpv4, allocationId].filter((part) => part !== undefined).join(" ");

function compareGroup(
    comparison: NlbComparison,
    model: NlbServerGroup,
    found: ObservedNlb["serverGroups"][number],
): void {
    const object = `server group ${found.name}`;
    const { tags: ownTags, resourceGroupId } = comparison;
    const identity = { serverGroupName: found.name, tags: ownTags };
    const attributes = nlbGroupAttributes(model, {
        ...identity,
        vpcId: comparison.observed.vpcId ?? "",
        resourceGroupId,
    });
    const { checkRequest, checkAnswer, drainTimeout, affinity, tags, ipVersion } = found;
    const actual = nlbGroupAttributes(found, {
        ...identity,
        vpcId: found.vpcId ?? "",
        resourceGroupId: found.resourceGroupId,
    });
    comparison.inputs(
        groupKeep(model.key),
        object,
        // The plugin would remove these from a group, because the program does not set them.
        { "healthCheck.healthCheckReq": "", "healthCheck.healthCheckExp": "", ...flattened(attributes) },
        {
            ...flattened(actual),
            addressIpVersion: ipVersion === "ipv4" ? "ipv4" : "DualStack",
            "healthCheck.healthCheckReq": checkRequest,
            "healthCheck.healthCheckExp": checkAnswer,
            tags: userTags(tags),
        },
    );
    const { ConnectionDrainTimeout, ...options } = serverGroupOptions(model);
    comparison.attributes(
        object,
        attributes.connectionDrainTimeout === undefined ? { ConnectionDrainTimeout, ...options } : options,
        { ConnectionDrainTimeout: drainTimeout, IpVersionAffinityMode: affinity },
    );
}

/** Inputs with those of the health check one by one, because a program sets only a part of them. */
function flattened({ healthCheck, ...attributes }: ReturnType<typeof nlbGroupAttributes>): Attributes {
    const checks = Object.entries(healthCheck ?? {}).map(([name, value]) => [`healthCheck.${name}`, value as unknown]);
    return { ...attributes, ...(Object.fromEntries(checks) as Attributes) };
}

/** Compares a desired listener with the one on its port, or on its range of ports. */
function compareListener(comparison: NlbComparison, model: NlbListener): void {
    const object = listenerObject(model);
    const mark = nlbListenerMark(model, comparison.owner);
    const found = comparison.listener(model, mark);
    if (found === undefined) return;
    comparison.adopted.listeners[model.key] = found.id;
    const { description, status, mss, tags, serverGroupId } = found;
    comparison.inputs(
        model.key,
        object,
        {
            // The plugin would remove these from a listener, because the program does not set them.
            mss: "",
            tags: {},
            ...nlbListenerAttributes(model, mark, comparison.spec.references.certId),
            serverGroupId: comparison.target(model.serverGroup),
        },
        { ...nlbListenerAttributes(found, description), status, mss, tags: userTags(tags), serverGroupId },
    );
    compareCertificates(comparison, object, model, found);
}

/** The run that takes over adds and removes certificates of further domains, if the Service names any. */
function compareCertificates(
    comparison: NlbComparison,
    object: string,
    { tls }: NlbListener,
    { tls: actual }: ObservedNlbListener,
): void {
    const [desired, observed] = [tls?.additionalCertIds ?? [], actual?.additionalCertIds ?? []];
    const texts = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, "there"]));
    if (desired.length > 0) comparison.differing(object, diffTexts("certificate ", texts(desired), texts(observed)));
    else for (const id of observed) comparison.unmanaged(object, `certificate ${id}`);
}
