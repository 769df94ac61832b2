import { type NlbListener, nlbListenerMark, type ObservedNlbListener } from "../../provider/nlb/listener";
import type { NlbServerGroup } from "../../provider/nlb/server-group";
import { type Adoption, groupKeep } from "../../provider/plan/adoption";
import type { ObservedNlb } from "../../provider/plan/adoption-read";
import type { NlbDesired } from "../../provider/plan/desired";
import type { Attributes } from "../../provider/plan/diff";
import { toObservedNlbAttributes } from "../../provider/plan/reuse/instances";
import { defined } from "../../provider/schema/defined";
import type { ZoneMap } from "../../provider/schema/settings";
import { nlbListenerAttributes } from "../nlb/listener";
import { nlbInstanceAttributes } from "../nlb/load-balancer";
import { sourceRules } from "../nlb/security-group";
import { nlbGroupAttributes, serverGroupOptions } from "../nlb/server-group";
import { type AdoptionSpec, Comparison, listenerObject, userTags } from "./comparison";

type Spec = AdoptionSpec<NlbDesired>;

const RULES = {
    /** With a difference, an adopted object would be replaced in the next run. */
    immutable:
        /^(vpcId|addressIpVersion|protocol|serverGroupType|anyPortEnabled|(listener|start|end)Port|listenerProtocol)$/,
    words: /^(addressType|addressIpVersion|ipv6AddressType|scheduler|serverGroupType|status)$|Check(Type|Method)$/,
};

/** Compares an observed NLB with what a Service asks for. */
export function compareNlb(spec: Spec, observed: ObservedNlb) {
    const comparison = new Comparison(spec, RULES);
    const zones = !comparison.reuse(toObservedNlbAttributes(observed)) && compareInstance(comparison, spec, observed);
    const groups = comparison.groups(observed, "server group");
    for (const model of spec.desired.serverGroups) {
        const found = groups[model.key];
        if (found !== undefined) compareGroup(comparison, observed, model, found);
    }
    for (const model of spec.desired.listeners) compareListener(comparison, spec, observed, model);
    comparison.spareListeners(observed);
    // The cloud chooses addresses inside a zone that the Service leaves open.
    const instance = [...(comparison.keep["instance"] ?? []), "zoneMappings"];
    const adoption: Adoption = {
        loadBalancerId: observed.id,
        ...defined({
            securityGroupId: observed.securityGroup?.id,
            zones: zones ? observed.zones : undefined,
            bandwidthPackageId: observed.bandwidthPackageId,
        }),
        ...comparison.adopted,
        keep: { ...comparison.keep, instance },
    };
    return { adoption, differences: comparison.differences };
}

/** Returns true if zones differ. */
function compareInstance(comparison: Comparison, spec: Spec, observed: ObservedNlb): boolean {
    const { desired, references, facts } = spec;
    const { ownerName, tags, resourceGroupId } = comparison;
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
    const zones = compareZones(comparison, spec, observed);
    compareBandwidthPackage(comparison, spec, observed);
    compareSourceRanges(comparison, spec, observed);
    return zones;
}

/** A package is attached by a resource: an attachment that exists is imported. */
function compareBandwidthPackage(
    comparison: Comparison,
    spec: Spec,
    { bandwidthPackageId: actual }: ObservedNlb,
): void {
    const asked = spec.references.bandwidthPackageId ?? spec.desired.loadBalancer.bandwidthPackageId;
    if (typeof asked === "string" ? asked === actual : asked !== undefined) return;
    if (asked !== undefined) comparison.add("refused", "load balancer", "bandwidthPackageId", actual, String(asked));
    else if (actual !== undefined) comparison.unmanaged("load balancer", `bandwidthPackageId ${actual}`);
}

/** Rules of the security group are set by the run that takes over. */
function compareSourceRanges(comparison: Comparison, { desired }: Spec, { securityGroup }: ObservedNlb): void {
    const rules = sourceRules(desired.loadBalancer);
    if (Object.keys(rules).length === 0) return;
    const object = "security group of loadBalancerSourceRanges";
    if (securityGroup === undefined) comparison.missing(object);
    else compareEach(comparison, object, "", rules, securityGroup.rules);
}

/** Compares two maps, one line for each key that differs. Returns true if one does. */
function compareEach(
    comparison: Comparison,
    object: string,
    prefix: string,
    desired: Readonly<Record<string, string>>,
    observed: Readonly<Record<string, string>>,
): boolean {
    const keys = [...new Set([...Object.keys(desired), ...Object.keys(observed)])].sort();
    const differing = keys.filter((key) => desired[key] !== observed[key]);
    for (const key of differing) comparison.add("differs", object, `${prefix}${key}`, observed[key], desired[key]);
    return differing.length > 0;
}

/** Compares the zones of an instance, one line per difference. An unspecified address matches any. */
function compareZones(comparison: Comparison, { desired, references }: Spec, { zones: actual }: ObservedNlb): boolean {
    const zones = desired.loadBalancer.zones.map((zone): AskedZone => {
        const given = references.zoneVswitches?.[zone.zoneId];
        // A vSwitch that another resource of the program makes is known only then.
        return given === undefined ? zone : { ...zone, vswitchId: typeof given === "string" ? given : undefined };
    });
    const texts = (list: readonly AskedZone[]) => Object.fromEntries(list.map((zone) => [zone.zoneId, textOf(zone)]));
    const found = actual.map((zone) => {
        const asked = zones.find(({ zoneId }) => zoneId === zone.zoneId);
        return asked !== undefined && fits(asked, zone) ? asked : zone;
    });
    return compareEach(comparison, "load balancer", "zone ", texts(zones), texts(found));
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
    comparison: Comparison,
    { vpcId }: ObservedNlb,
    model: NlbServerGroup,
    found: ObservedNlb["serverGroups"][number],
): void {
    const object = `server group ${found.name}`;
    const { tags: ownTags, resourceGroupId } = comparison;
    const identity = { serverGroupName: found.name, tags: ownTags };
    const attributes = nlbGroupAttributes(model, { ...identity, vpcId: vpcId ?? "", resourceGroupId });
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
function compareListener(comparison: Comparison, spec: Spec, observed: ObservedNlb, model: NlbListener): void {
    const object = listenerObject(model);
    const mark = nlbListenerMark(model, comparison.owner);
    const found = comparison.listener(model, mark, observed.listeners);
    if (found === undefined) return;
    comparison.listeners[model.key] = found.id;
    const { description, status, mss, tags, serverGroupId } = found;
    comparison.inputs(
        model.key,
        object,
        {
            // The plugin would remove these from a listener, because the program does not set them.
            mss: "",
            tags: {},
            ...nlbListenerAttributes(model, mark, spec.references.certId),
            serverGroupId: comparison.target(model.serverGroup),
        },
        { ...nlbListenerAttributes(found, description), status, mss, tags: userTags(tags), serverGroupId },
    );
    compareCertificates(comparison, object, model, found);
}

/** The run that takes over adds and removes certificates of further domains. */
function compareCertificates(
    comparison: Comparison,
    object: string,
    { tls }: NlbListener,
    { tls: actual }: ObservedNlbListener,
): void {
    const [desired, observed] = [tls?.additionalCertIds ?? [], actual?.additionalCertIds ?? []];
    for (const id of desired)
        if (!observed.includes(id)) comparison.add("differs", object, `certificate ${id}`, "-", "there");
    for (const id of observed.filter((one) => !desired.includes(one)))
        if (desired.length > 0) comparison.add("differs", object, `certificate ${id}`, "there", "-");
        else comparison.unmanaged(object, `certificate ${id}`);
}
