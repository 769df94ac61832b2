import { initialCharge, specFor } from "../../provider/clb/load-balancer";
import type { ClbListener } from "../../provider/clb/listener";
import type { Adoption } from "../../provider/plan/adoption";
import type { ObservedClb } from "../../provider/plan/adoption-read";
import type { ClbDesired } from "../../provider/plan/desired";
import type { Attributes } from "../../provider/plan/diff";
import { defined } from "../../provider/schema/defined";
import { markedProtectionReason, ownershipKey, PROTECTION_REASON } from "../../provider/schema/names";
import { listenerAttributes, OPTION_DEFAULTS, ownListenerOptions } from "../clb/listener";
import { instanceAttributes } from "../clb/load-balancer";
import { type AdoptionSpec, Comparison, listenerObject, userTags } from "./comparison";

type ClbComparison = Comparison<ClbDesired, ObservedClb>;

/** Compares an observed CLB with what a Service asks for. */
export function compareClb(spec: AdoptionSpec<ClbDesired>, observed: ObservedClb) {
    const comparison = new Comparison(spec, observed);
    if (!comparison.reuse(observed)) compareInstance(comparison);
    comparison.groups("vServer group");
    for (const model of spec.desired.listeners) compareListener(comparison, model);
    comparison.spareListeners();
    const { id: loadBalancerId, instanceChargeType, aclId } = observed;
    const vswitchId = spec.desired.loadBalancer.addressType === "intranet" ? observed.vswitchId : undefined;
    const adoption: Adoption = defined({
        loadBalancerId,
        vswitchId,
        instanceChargeType,
        aclId,
        ...comparison.adopted,
    });
    return { adoption, differences: comparison.differences };
}

function compareInstance(comparison: ClbComparison): void {
    const { ownerName, resourceGroupId, observed } = comparison;
    const { desired, references, service, facts } = comparison.spec;
    const model = desired.loadBalancer;
    // The charge is kept if no setting of the Service depends on it.
    const kept =
        "instanceChargeType" in initialCharge(service.settings, facts) ? observed.instanceChargeType : undefined;
    const instanceChargeType = kept ?? model.instanceChargeType;
    const attributes = instanceAttributes(model, {
        loadBalancerName: model.name ?? ownerName,
        modificationProtectionReason: model.name === undefined ? PROTECTION_REASON : markedProtectionReason(ownerName),
        tags: comparison.tags,
        vswitchId: references.vswitchId ?? model.vswitch?.named,
        resourceGroupId,
        instanceChargeType,
        loadBalancerSpec: specFor(model, instanceChargeType),
    });
    comparison.inputs("instance", "load balancer", { ...attributes }, instanceInputs(observed));
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

/** Compares a desired listener with the one on its port. */
function compareListener(comparison: ClbComparison, model: ClbListener): void {
    const object = listenerObject(model);
    const mark = ownershipKey(model.port, comparison.owner);
    const found = comparison.listener(model, mark);
    if (found === undefined) return;
    comparison.adopted.listeners[model.key] = `${comparison.observed.id}:${found.protocol}:${found.port}`;
    const { bandwidth, addsAddress, addsId, serverGroupId, access, description, forwardPort } = found;
    const aclIds = access.status === "off" ? [] : (access.aclIds ?? []);
    const actual = listenerAttributes(found, { description, aclIds, certId: undefined, forwardPort });
    // Attributes that no Service sets: the plugin shows them with the others.
    const headers = { ...(actual.xForwardedFor as Attributes), retriveSlbIp: addsAddress, retriveSlbId: addsId };
    comparison.inputs(
        model.key,
        object,
        {
            ...listenerAttributes(model, referencesOf(comparison, model, mark)),
            serverGroupId: comparison.target(model.serverGroup),
        },
        { ...actual, serverGroupId, bandwidth, xForwardedFor: headers },
        // A listener that redirects passes nothing on, so it needs no group, and CCM gives it none.
        model.forwardTo === undefined ? undefined : /^serverGroupId$/,
    );
    comparison.attributes(object, ownListenerOptions(model), { ...OPTION_DEFAULTS, ...ownListenerOptions(found) });
    compareDomains(comparison, object, model, found.domainExtensions);
    if (found.status === "stopped")
        comparison.add("note", object, "status", "stopped", "running, from the next run with --refresh");
}

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

/** Domains are resources: one with another certificate would change, so it is refused with the rest. */
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
