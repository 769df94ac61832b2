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
import { type Adoption, groupKeep, type ObservedClb, type ObservedNlb } from "../../provider/plan/adoption";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { defined } from "../../provider/schema/defined";
import { ownershipKey } from "../../provider/schema/names";
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
    const { spec, observed, place } = comparison;
    const { desired, references, service, facts } = spec;
    const { vswitch, ...model } = desired.loadBalancer;
    const named = referred(references.vswitchId, vswitch?.named, observed.vswitchId);
    const resourceGroupId = referred(references.resourceGroupId, model.resourceGroupId, observed.resourceGroupId);
    const own = defined({ ...model, resourceGroupId, vswitch: vswitch && defined({ ...vswitch, named }) });
    const { settings } = service;
    comparison.take("instance", "load balancer", compareClbInstance(own, observed, place, { settings, facts }));
}

/** Takes over the listener on the port of a desired listener. */
function takeClbListener(comparison: ClbComparison, model: ClbListener): void {
    const { adopted, observed, place, spec } = comparison;
    const { key, serverGroup, access, tls } = model;
    const object = listenerObject(model);
    const found = comparison.listener(model, ownershipKey(model.port, place.owner));
    if (found === undefined) return;
    adopted.listeners[key] = `${observed.id}:${found.protocol}:${found.port}`;
    const { aclId, certId } = spec.references;
    const [list = NEW] = (found.access.status === "on" && found.access.aclIds) || [];
    const isReferred = aclId !== undefined && access.status === "on" && access.aclIds !== undefined;
    const own = {
        ...model,
        ...(isReferred && { access: { ...access, aclIds: [referred(aclId, NEW, list)] } }),
        ...(tls && { tls: { ...tls, certId: referred(certId, tls.certId, found.tls?.certId ?? NEW) } }),
    };
    const serverGroupId = comparison.target(serverGroup);
    const differences = compareClbListener(own, found, { ...place, aclId: observed.aclId ?? NEW, serverGroupId });
    // CCM makes a single group for the TCP and the UDP port of a nodePort, and no setting of the Service changes that.
    const others = adopted.serverGroups[serverGroup] === undefined ? Object.values(adopted.serverGroups) : [];
    const isAnyGroup = model.forwardTo !== undefined || others.includes(found.serverGroupId ?? "");
    comparison.take(key, object, differences, (one) =>
        one.attribute === "serverGroupId"
            ? isAnyGroup
            : one.attribute.startsWith("tls.domains.") && one.observed === "-",
    );
    if (found.status === "stopped")
        comparison.add("note", object, "status", "stopped", "running, from the next run with --refresh");
    for (const { domain, certId: has, id } of found.tls?.domains ?? []) {
        const desired = tls?.domains.find((one) => one.domain === domain);
        if (desired === undefined) comparison.unmanaged(object, `domain ${domain}`);
        else if (desired.certId === has) adopted.domainExtensions[`${key}/${domain}`] = id;
    }
}

type NlbComparison = Comparison<NlbDesired, ObservedNlb>;

export function compareNlb(spec: AdoptionSpec<NlbDesired>, observed: ObservedNlb) {
    const comparison = new Comparison(spec, observed);
    const { adopted, place } = comparison;
    const { desired, references } = spec;
    const zones = !comparison.reuse(observed) && takeNlbInstance(comparison);
    const groups = comparison.groups("server group");
    for (const model of desired.serverGroups) {
        const found = groups[model.key];
        if (found === undefined) continue;
        const named = desired.loadBalancer.resourceGroupId;
        const resourceGroupId = referred(references.resourceGroupId, named, found.resourceGroupId);
        const differences = compareNlbGroup(
            model,
            found,
            { ...place, vpcId: observed.vpcId, resourceGroupId },
            found.name,
        );
        comparison.take(groupKeep(model.key), `server group ${found.name}`, differences);
    }
    for (const model of desired.listeners) takeNlbListener(comparison, model);
    comparison.spareListeners();
    const adoption: Adoption = defined({
        loadBalancerId: observed.id,
        securityGroupId: observed.securityGroup?.id,
        zones: zones ? observed.zoneMaps.map(({ publicIpv4: _, ...zone }) => zone) : undefined,
        bandwidthPackageId: observed.bandwidthPackageId,
        ...adopted,
        // The cloud chooses addresses inside a zone that the Service leaves open.
        keep: { ...adopted.keep, instance: [...(adopted.keep["instance"] ?? []), "zoneMappings"] },
    });
    return { adoption, differences: comparison.differences };
}

/** Returns true if zones differ. The run that takes over sets the rules of the security group. */
function takeNlbInstance(comparison: NlbComparison): boolean {
    const { place, observed, spec } = comparison;
    const { references, facts } = spec;
    const { bandwidthPackageId: attached, securityGroup } = observed;
    const model = spec.desired.loadBalancer;
    const zoneMaps = model.zoneMaps.map((zone) => {
        const found = observed.zoneMaps.find(({ zoneId }) => zoneId === zone.zoneId)?.vswitchId ?? NEW;
        return { ...zone, vswitchId: referred(references.zoneVswitches?.[zone.zoneId], zone.vswitchId, found) };
    });
    const own = defined({
        ...model,
        zoneMaps,
        securityGroupIds: referred(references.securityGroupIds, model.securityGroupIds, observed.securityGroupIds),
        bandwidthPackageId: referred(references.bandwidthPackageId, model.bandwidthPackageId, attached),
        resourceGroupId: referred(references.resourceGroupId, model.resourceGroupId, observed.resourceGroupId),
    });
    const securityGroupId = securityGroup?.id ?? NEW;
    const differences = compareNlbInstance(own, observed, { ...place, vpcId: facts.vpcId, securityGroupId });
    comparison.take("instance", "load balancer", differences);
    if (own.bandwidthPackageId === undefined && attached !== undefined)
        comparison.unmanaged("load balancer", `bandwidthPackageId ${attached}`);
    const rules = "security group of loadBalancerSourceRanges";
    if (securityGroup !== undefined) comparison.report(rules, compareSourceRules(model, securityGroup.rules));
    else if (model.sourceRanges.length > 0) comparison.missing(rules);
    return differences.some(({ attribute }) => attribute === "zoneMaps");
}

/** Takes over the listener on the port of a desired listener, or on its range of ports. */
function takeNlbListener(comparison: NlbComparison, model: NlbListener): void {
    const { place, spec } = comparison;
    const object = listenerObject(model);
    const found = comparison.listener(model, nlbListenerMark(model, place.owner));
    if (found === undefined) return;
    const { key, tls } = model;
    const certId = tls && referred(spec.references.certId, tls.certId, found.tls?.certId ?? NEW);
    const own = { ...model, ...(tls && { tls: { ...tls, ...defined({ certId }) } }) };
    const serverGroupId = comparison.target(model.serverGroup);
    comparison.adopted.listeners[key] = found.id;
    comparison.take(key, object, compareNlbListener(own, found, { ...place, serverGroupId }));
    // The run that takes over adds and removes certificates of further domains, if the Service names any.
    if (tls?.additionalCertIds.length === 0)
        for (const id of found.tls?.additionalCertIds ?? []) comparison.unmanaged(object, `certificate ${id}`);
}
