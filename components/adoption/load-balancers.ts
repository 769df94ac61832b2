/** Compares observed load balancers with what Services ask for. */
import type * as pulumi from "@pulumi/pulumi";
import { compareClbInstance, compareClbListener } from "../../provider/clb/compare";
import type { ClbListener } from "../../provider/clb/listener";
import {
    compareNlbGroup,
    compareNlbInstance,
    compareNlbListener,
    compareSourceRules,
} from "../../provider/nlb/compare";
import { type NlbListener, nlbListenerMark } from "../../provider/nlb/listener";
import type { NlbServerGroup } from "../../provider/nlb/server-group";
import { type Adoption, groupKeep, type ObservedClb, type ObservedNlb } from "../../provider/plan/adoption";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { defined } from "../../provider/schema/defined";
import type { Difference } from "../../provider/schema/difference";
import { ownershipKey } from "../../provider/schema/names";
import type { ReferenceArgs } from "../service/args";
import { type AdoptionSpec, Comparison, listenerObject } from "./comparison";

type ClbComparison = Comparison<ClbDesired, ObservedClb>;

/** Id of an object that the run makes. */
const NEW = "(to be created)";

/**
 * Returns the value of a setting, or of the reference that replaces it. An id that is known only once a resource of
 * this run is made counts as the observed id.
 */
function referred<Value, Observed>(
    reference: pulumi.Input<string> | readonly pulumi.Input<string>[] | undefined,
    setting: Value,
    observed: Observed,
): Value | Observed {
    if (reference === undefined) return setting;
    return [reference].flat().every((id) => typeof id === "string") ? (reference as Value) : observed;
}

export function compareClb(spec: AdoptionSpec<ClbDesired>, observed: ObservedClb) {
    const comparison = new Comparison(spec, observed);
    if (!comparison.reuse(observed)) takeClbInstance(comparison);
    comparison.groups("vServer group");
    for (const model of spec.desired.listeners) takeClbListener(comparison, model);
    comparison.spareListeners();
    const { id: loadBalancerId, instanceChargeType, aclId } = observed;
    const vswitchId = spec.desired.loadBalancer.addressType === "intranet" ? observed.vswitchId : undefined;
    const adoption: Adoption = defined({ loadBalancerId, vswitchId, instanceChargeType, aclId, ...comparison.adopted });
    return { adoption, differences: comparison.differences };
}

function takeClbInstance(comparison: ClbComparison): void {
    const { ownerName: mark, tags, observed } = comparison;
    const { desired, references, service, facts } = comparison.spec;
    const { vswitch, ...model } = desired.loadBalancer;
    const named = referred(references.vswitchId, vswitch?.named, observed.vswitchId);
    const resourceGroupId = referred(references.resourceGroupId, model.resourceGroupId, observed.resourceGroupId);
    const own = defined({ ...model, resourceGroupId, vswitch: vswitch && defined({ ...vswitch, named }) });
    const { settings } = service;
    comparison.take("instance", "load balancer", compareClbInstance(own, observed, { settings, facts, mark, tags }));
}

/** Takes over the listener on the port of a desired listener. */
function takeClbListener(comparison: ClbComparison, model: ClbListener): void {
    const object = listenerObject(model);
    const description = ownershipKey(model.port, comparison.owner);
    const found = comparison.listener(model, description);
    if (found === undefined) return;
    const { adopted, observed, spec } = comparison;
    const { domainExtensions: domains, ...listener } = found;
    adopted.listeners[model.key] = `${observed.id}:${found.protocol}:${found.port}`;
    const { aclId = NEW } = observed;
    const serverGroupId = comparison.target(model.serverGroup);
    const differences = compareClbListener(
        withReferences(model, found, spec.references),
        { ...listener, ...(listener.tls && { tls: { ...listener.tls, domains } }) },
        { description, aclId, serverGroupId },
    );
    const ofDomains = differences.filter(({ attribute }) => attribute.startsWith(DOMAIN));
    const isNote = model.forwardTo !== undefined || losesGroup(comparison, model, found.serverGroupId);
    comparison.take(
        model.key,
        object,
        differences
            .filter((one) => !ofDomains.includes(one))
            .map((one) =>
                // The options of the listener start it.
                one.attribute === "status" ? { ...one, desired: "running, from the next run with --refresh" } : one,
            ),
        isNote ? ["status", "serverGroupId"] : ["status"],
    );
    takeDomains(comparison, object, model, domains, ofDomains);
}

const DOMAIN = "tls.domains.";

type ObservedClbListeners = ObservedClb["listeners"];

/** Takes over the domains of a listener. They are resources, which would change the certificate of a domain. */
function takeDomains(
    comparison: ClbComparison,
    object: string,
    { key, tls }: ClbListener,
    observed: ObservedClbListeners[number]["domainExtensions"],
    differences: readonly Difference[],
): void {
    for (const { attribute, observed: has, desired } of differences) {
        const domain = attribute.slice(DOMAIN.length);
        if (has === "-") comparison.missing(object, `domain ${domain}`);
        else comparison.add("refused", object, `certificate of ${domain}`, has, desired);
    }
    for (const { domain, id } of observed)
        if (!(tls?.domains ?? []).some((one) => one.domain === domain))
            comparison.unmanaged(object, `domain ${domain}`);
        else if (!differences.some(({ attribute }) => attribute === DOMAIN + domain))
            comparison.adopted.domainExtensions[`${key}/${domain}`] = id;
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

/** Returns a listener with the certificate and the access control list that replace those of the settings. */
function withReferences(
    model: ClbListener,
    found: ObservedClbListeners[number],
    { certId, aclId }: ReferenceArgs,
): ClbListener {
    const { access, tls } = model;
    const [observed] = (found.access.status === "on" && found.access.aclIds) || [];
    const isReferred = aclId !== undefined && access.status === "on" && access.aclIds !== undefined;
    return {
        ...model,
        ...(isReferred && { access: { ...access, aclIds: [referred(aclId, "", observed ?? NEW)] } }),
        ...(tls && { tls: { ...tls, certId: referred(certId, tls.certId, found.tls?.certId ?? NEW) } }),
    };
}

type NlbComparison = Comparison<NlbDesired, ObservedNlb>;

export function compareNlb(spec: AdoptionSpec<NlbDesired>, observed: ObservedNlb) {
    const comparison = new Comparison(spec, observed);
    const zones = !comparison.reuse(observed) && takeNlbInstance(comparison);
    const groups = comparison.groups("server group");
    for (const model of spec.desired.serverGroups) {
        const found = groups[model.key];
        if (found !== undefined) takeGroup(comparison, model, found);
    }
    for (const model of spec.desired.listeners) takeNlbListener(comparison, model);
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
function takeNlbInstance(comparison: NlbComparison): boolean {
    const { ownerName: mark, tags, observed, spec } = comparison;
    const { references, facts } = spec;
    const model = spec.desired.loadBalancer;
    const zoneMaps = model.zoneMaps.map((zone) => {
        const found = observed.zoneMaps.find(({ zoneId }) => zoneId === zone.zoneId)?.vswitchId ?? NEW;
        return { ...zone, vswitchId: referred(references.zoneVswitches?.[zone.zoneId], zone.vswitchId, found) };
    });
    const own = defined({
        ...model,
        zoneMaps,
        securityGroupIds: referred(references.securityGroupIds, model.securityGroupIds, observed.securityGroupIds),
        bandwidthPackageId: referred(
            references.bandwidthPackageId,
            model.bandwidthPackageId,
            observed.bandwidthPackageId,
        ),
        resourceGroupId: referred(references.resourceGroupId, model.resourceGroupId, observed.resourceGroupId),
    });
    const ownGroup = observed.securityGroup?.id ?? NEW;
    const differences = compareNlbInstance(own, observed, { mark, tags, vpcId: facts.vpcId, ownGroup });
    comparison.take("instance", "load balancer", differences);
    if (own.bandwidthPackageId === undefined && observed.bandwidthPackageId !== undefined)
        comparison.unmanaged("load balancer", `bandwidthPackageId ${observed.bandwidthPackageId}`);
    takeSourceRanges(comparison);
    return differences.some(({ attribute }) => attribute === "zoneMaps");
}

/** Rules of the security group are set by the run that takes over. */
function takeSourceRanges(comparison: NlbComparison): void {
    const { securityGroup } = comparison.observed;
    const model = comparison.spec.desired.loadBalancer;
    if (model.sourceRanges.length === 0) return;
    const object = "security group of loadBalancerSourceRanges";
    if (securityGroup === undefined) comparison.missing(object);
    else comparison.differing(object, compareSourceRules(model, securityGroup.rules));
}

function takeGroup(comparison: NlbComparison, model: NlbServerGroup, found: ObservedNlb["serverGroups"][number]): void {
    const { tags, observed, spec } = comparison;
    const { resourceGroupId } = spec.desired.loadBalancer;
    const place = {
        name: found.name,
        tags,
        vpcId: observed.vpcId,
        resourceGroupId: referred(spec.references.resourceGroupId, resourceGroupId, found.resourceGroupId),
    };
    comparison.take(groupKeep(model.key), `server group ${found.name}`, compareNlbGroup(model, found, place));
}

/** Takes over the listener on the port of a desired listener, or on its range of ports. */
function takeNlbListener(comparison: NlbComparison, model: NlbListener): void {
    const object = listenerObject(model);
    const description = nlbListenerMark(model, comparison.owner);
    const found = comparison.listener(model, description);
    if (found === undefined) return;
    const { tls } = model;
    const { certId } = comparison.spec.references;
    const own = {
        ...model,
        ...(tls && { tls: { ...tls, certId: referred(certId, tls.certId, found.tls?.certId ?? NEW) } }),
    };
    const serverGroupId = comparison.target(model.serverGroup);
    comparison.adopted.listeners[model.key] = found.id;
    comparison.take(model.key, object, compareNlbListener(own, found, { description, serverGroupId }));
    // The run that takes over adds and removes certificates of further domains, if the Service names any.
    if (tls?.additionalCertIds.length === 0)
        for (const id of found.tls?.additionalCertIds ?? []) comparison.unmanaged(object, `certificate ${id}`);
}
