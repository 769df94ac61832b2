/** Compares observed load balancers with what Services ask for. */
import {
    type ClbListener,
    clbListenerArguments,
    clbListenerOptions,
    defaultsOf,
    OPTION_DEFAULTS,
} from "../../provider/clb/listener";
import { clbInstanceArguments, initialCharge, specFor } from "../../provider/clb/load-balancer";
import {
    type NlbListener,
    nlbListenerArguments,
    nlbListenerMark,
    type ObservedNlbListener,
} from "../../provider/nlb/listener";
import { nlbAddressType, nlbInstanceArguments, sourceRules } from "../../provider/nlb/load-balancer";
import { nlbGroupArguments, type NlbServerGroup, serverGroupOptions } from "../../provider/nlb/server-group";
import { zoneFits } from "../../provider/nlb/zones";
import { type Adoption, groupKeep, type ObservedClb, type ObservedNlb } from "../../provider/plan/adoption";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { type Attributes, type Differing, diffTexts } from "../../provider/plan/diff";
import { defined } from "../../provider/schema/defined";
import { markedProtectionReason, ownershipKey, PROTECTION_REASON, userTags } from "../../provider/schema/names";
import type { ZoneMap } from "../../provider/schema/settings";
import { type AdoptionSpec, Comparison, listenerObject } from "./comparison";

type ClbComparison = Comparison<ClbDesired, ObservedClb>;

export function compareClb(spec: AdoptionSpec<ClbDesired>, observed: ObservedClb) {
    const comparison = new Comparison(spec, observed);
    if (!comparison.reuse(observed)) compareClbInstance(comparison);
    comparison.groups("vServer group");
    for (const model of spec.desired.listeners) compareClbListener(comparison, model);
    comparison.spareListeners();
    const { id: loadBalancerId, instanceChargeType, aclId } = observed;
    const vswitchId = spec.desired.loadBalancer.addressType === "intranet" ? observed.vswitchId : undefined;
    const adoption: Adoption = defined({ loadBalancerId, vswitchId, instanceChargeType, aclId, ...comparison.adopted });
    return { adoption, differences: comparison.differences };
}

function compareClbInstance(comparison: ClbComparison): void {
    const { ownerName, resourceGroupId, observed } = comparison;
    const { desired, references, service, facts } = comparison.spec;
    const model = desired.loadBalancer;
    // The charge is kept if no setting of the Service depends on it.
    const kept =
        "instanceChargeType" in initialCharge(service.settings, facts) ? observed.instanceChargeType : undefined;
    const instanceChargeType = kept ?? model.instanceChargeType;
    const reason = model.name === undefined ? PROTECTION_REASON : markedProtectionReason(ownerName);
    const attributes = {
        loadBalancerName: model.name ?? ownerName,
        vswitchId: references.vswitchId ?? model.vswitch?.named,
        resourceGroupId,
        instanceChargeType,
        loadBalancerSpec: specFor(model, instanceChargeType),
        ...clbInstanceArguments(model, reason, comparison.tags),
    };
    comparison.inputs("instance", "load balancer", attributes, instanceInputs(observed));
}

/** Inputs of the plugin for an observed instance. */
function instanceInputs(observed: ObservedClb): Attributes {
    const { name, spec, internetChargeType, ipVersion, modificationProtection, tags, ...same } = observed;
    return {
        ...same,
        loadBalancerName: name,
        loadBalancerSpec: spec,
        addressIpVersion: ipVersion,
        modificationProtectionStatus: modificationProtection,
        internetChargeType: internetChargeType
            ?.replace(/^paybytraffic$/i, "PayByTraffic")
            .replace(/^paybybandwidth$/i, "PayByBandwidth"),
        tags: userTags(tags),
    };
}

/** Compares a desired listener with the listener on its port. */
function compareClbListener(comparison: ClbComparison, model: ClbListener): void {
    const object = listenerObject(model);
    const mark = ownershipKey(model.port, comparison.owner);
    const found = comparison.listener(model, mark);
    if (found === undefined) return;
    comparison.adopted.listeners[model.key] = `${comparison.observed.id}:${found.protocol}:${found.port}`;
    const { bandwidth, addsAddress, addsId, serverGroupId, access, description, forwardPort } = found;
    const aclIds = access.status === "off" ? [] : (access.aclIds ?? []);
    const actual = clbListenerArguments(found, { description, aclIds, certId: undefined, forwardPort });
    // Attributes that no Service sets: the plugin shows them with the others.
    const headers = { ...(actual.xForwardedFor as Attributes), retriveSlbIp: addsAddress, retriveSlbId: addsId };
    comparison.inputs(
        model.key,
        object,
        {
            ...clbListenerArguments(model, referencesOf(comparison, model, mark)),
            serverGroupId: comparison.target(model.serverGroup),
        },
        { ...actual, serverGroupId, bandwidth, xForwardedFor: headers },
        model.forwardTo === undefined && !losesGroup(comparison, model, serverGroupId) ? undefined : /^serverGroupId$/,
    );
    comparison.attributes(
        object,
        { ...defaultsOf(model.protocol), ...clbListenerOptions(model) },
        // A domain stays when the health check is of another type.
        {
            ...OPTION_DEFAULTS,
            ...clbListenerOptions(found),
            ...defined({ HealthCheckDomain: found.healthCheck.domain }),
        },
    );
    compareDomains(comparison, object, model, found.domainExtensions);
    if (found.status === "stopped")
        comparison.add("note", object, "status", "stopped", "running, from the next run with --refresh");
}

/**
 * True if a listener's group is another listener's here. CCM makes a single group for the TCP and the UDP port of a
 * nodePort. No setting of the Service changes that, so it is no reason to refuse a takeover.
 */
const losesGroup = (
    { adopted }: ClbComparison,
    { serverGroup }: ClbListener,
    observedId: string | undefined,
): boolean =>
    adopted.serverGroups[serverGroup] === undefined && Object.values(adopted.serverGroups).includes(observedId ?? "");

/** Ids that the plugin's listener refers to. */
function referencesOf(
    { spec: { desired, references }, observed: { aclId } }: ClbComparison,
    { access, forwardTo }: ClbListener,
    description: string,
) {
    const ids = access.status === "off" ? [] : (access.aclIds ?? [aclId ?? "(to be created)"]);
    const isReferred = references.aclId !== undefined && access.status === "on" && access.aclIds !== undefined;
    return {
        description,
        aclIds: isReferred ? [references.aclId] : ids,
        certId: references.certId,
        forwardPort: desired.listeners.find(({ key }) => key === forwardTo)?.port,
    };
}

/**
 * Compares domains. They are resources, and a domain with another certificate would change, so it is refused with the
 * rest.
 */
function compareDomains(
    comparison: ClbComparison,
    object: string,
    { key, tls }: ClbListener,
    observed: ObservedClb["listeners"][number]["domainExtensions"],
): void {
    const desired = tls?.domains ?? [];
    for (const { domain, certId } of desired) {
        const found = observed.find((one) => one.domain === domain);
        if (found === undefined) comparison.missing(object, `domain ${domain}`);
        else if (found.certId !== certId)
            comparison.add("refused", object, `certificate of ${domain}`, found.certId, certId);
        else comparison.adopted.domainExtensions[`${key}/${domain}`] = found.id;
    }
    for (const { domain } of observed)
        if (desired.every((one) => one.domain !== domain)) comparison.unmanaged(object, `domain ${domain}`);
}

type NlbComparison = Comparison<NlbDesired, ObservedNlb>;

const RULES = {
    /** With a difference, an adopted object would be replaced in the next run. */
    immutable:
        /^(vpcId|addressIpVersion|protocol|serverGroupType|anyPortEnabled|(listener|start|end)Port|listenerProtocol)$/,
    words: /^(addressType|addressIpVersion|ipv6AddressType|scheduler|serverGroupType|status)$|Check(Type|Method)$/,
};

export function compareNlb(spec: AdoptionSpec<NlbDesired>, observed: ObservedNlb) {
    const comparison = new Comparison(spec, observed, RULES);
    const zones = !comparison.reuse(observed) && compareNlbInstance(comparison);
    const groups = comparison.groups("server group");
    for (const model of spec.desired.serverGroups) {
        const found = groups[model.key];
        if (found !== undefined) compareGroup(comparison, model, found);
    }
    for (const model of spec.desired.listeners) compareNlbListener(comparison, model);
    comparison.spareListeners();
    // The cloud chooses addresses inside a zone that the Service leaves open.
    const instance = [...(comparison.adopted.keep["instance"] ?? []), "zoneMappings"];
    const adoption: Adoption = defined({
        loadBalancerId: observed.id,
        securityGroupId: observed.securityGroup?.id,
        zones: zones ? observed.zoneMaps : undefined,
        bandwidthPackageId: observed.bandwidthPackageId,
        ...comparison.adopted,
        keep: { ...comparison.adopted.keep, instance },
    });
    return { adoption, differences: comparison.differences };
}

/** Returns true if zones differ. */
function compareNlbInstance(comparison: NlbComparison): boolean {
    const { ownerName, tags, resourceGroupId, observed } = comparison;
    const { desired, references, facts } = comparison.spec;
    const model = desired.loadBalancer;
    const ownSecurityGroups = model.sourceRanges.length === 0 ? [] : [observed.securityGroup?.id ?? "(to be created)"];
    const { name = ownerName, addressType, vpcId = "", securityGroupIds } = observed;
    const { cps, modificationProtectionReason } = observed;
    comparison.inputs(
        "instance",
        "load balancer",
        {
            // The limit of new connections is nothing that a Service says, and the plugin would take it away.
            cps: "",
            vpcId: facts.vpcId ?? vpcId,
            securityGroupIds: [...(references.securityGroupIds ?? model.securityGroupIds), ...ownSecurityGroups],
            resourceGroupId,
            loadBalancerName: model.name ?? ownerName,
            ...nlbInstanceArguments(model, tags),
        },
        {
            vpcId,
            securityGroupIds,
            resourceGroupId: observed.resourceGroupId,
            loadBalancerName: name,
            ...nlbInstanceArguments(observed, {}),
            addressType: addressType && nlbAddressType(addressType),
            cps,
            modificationProtectionReason,
            tags: userTags(observed.tags),
        },
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
    const zones = desired.loadBalancer.zoneMaps.map((zone): AskedZone => {
        const given = references.zoneVswitches?.[zone.zoneId];
        // A vSwitch that another resource of the program makes is known only then.
        return given === undefined ? zone : { ...zone, vswitchId: typeof given === "string" ? given : undefined };
    });
    const texts = (list: readonly AskedZone[]) => Object.fromEntries(list.map((zone) => [zone.zoneId, textOf(zone)]));
    const found = observed.zoneMaps.map((zone) => {
        const asked = zones.find(({ zoneId }) => zoneId === zone.zoneId);
        return asked !== undefined && zoneFits(defined(asked), zone) ? asked : zone;
    });
    return diffTexts("zone ", texts(zones), texts(found));
}

type AskedZone = Omit<ZoneMap, "vswitchId"> & { readonly vswitchId: string | undefined };

const textOf = ({ vswitchId = "(to be created)", privateIpv4, allocationId }: AskedZone): string =>
    [vswitchId, privateIpv4, allocationId].filter((part) => part !== undefined).join(" ");

function compareGroup(
    comparison: NlbComparison,
    model: NlbServerGroup,
    found: ObservedNlb["serverGroups"][number],
): void {
    const object = `server group ${found.name}`;
    const { tags: ownTags, resourceGroupId } = comparison;
    const desired = nlbGroupArguments(model);
    const { checkRequest, checkAnswer, drainTimeout, affinity, tags, ipVersion } = found;
    comparison.inputs(
        groupKeep(model.key),
        object,
        {
            // The plugin would remove these from a group, because the program does not set them.
            "healthCheck.healthCheckReq": "",
            "healthCheck.healthCheckExp": "",
            tags: ownTags,
            vpcId: comparison.observed.vpcId ?? "",
            resourceGroupId,
            ...flattened(desired),
        },
        {
            vpcId: found.vpcId ?? "",
            resourceGroupId: found.resourceGroupId,
            ...flattened(nlbGroupArguments(found)),
            addressIpVersion: ipVersion === "ipv4" ? "ipv4" : "DualStack",
            "healthCheck.healthCheckReq": checkRequest,
            "healthCheck.healthCheckExp": checkAnswer,
            tags: userTags(tags),
        },
    );
    const { ConnectionDrainTimeout, ...options } = serverGroupOptions(model);
    comparison.attributes(
        object,
        desired.connectionDrainTimeout === undefined ? { ConnectionDrainTimeout, ...options } : options,
        { ConnectionDrainTimeout: drainTimeout, IpVersionAffinityMode: affinity },
    );
}

/** Returns inputs with individual inputs of the health check, because a program sets only a part of them. */
function flattened({ healthCheck, ...attributes }: ReturnType<typeof nlbGroupArguments>): Attributes {
    const checks = Object.entries(healthCheck ?? {}).map(([name, value]) => [`healthCheck.${name}`, value as unknown]);
    return { ...attributes, ...(Object.fromEntries(checks) as Attributes) };
}

/** Compares a desired listener with the listener on its port, or on its range of ports. */
function compareNlbListener(comparison: NlbComparison, model: NlbListener): void {
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
            ...nlbListenerArguments(model, mark, comparison.spec.references.certId),
            serverGroupId: comparison.target(model.serverGroup),
        },
        { ...nlbListenerArguments(found, description), status, mss, tags: userTags(tags), serverGroupId },
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
