import type { ClbDesired } from "../../provider/plan/desired";
import { specFor } from "../../provider/clb/load-balancer";
import type { ClbListener } from "../../provider/clb/listener";
import { listenerName, sharePort } from "../../provider/schema/listener-address";
import type { ObservedDomainExtension } from "../../provider/schema/observed";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    markedProtectionReason,
    OWNER_TAG,
    ownershipKey,
    PROTECTION_REASON,
    sameOwner,
} from "../../provider/schema/names";
import type { Adoption } from "../../provider/plan/adoption";
import type { ObservedClb } from "../../provider/plan/adoption-read";
import { type Attributes, diffAttributes } from "../../provider/plan/diff";
import { difference, type Difference, differencesOf } from "../../provider/plan/adoption";
import { defined } from "../../provider/schema/defined";
import {
    listenerAttributes,
    type ListenerReferences,
    OPTION_DEFAULTS,
    ownListenerOptions,
} from "../clb/listener-attributes";
import { instanceAttributes } from "../clb/load-balancer";
import { compareGroups } from "./groups";
import {
    type AdoptionSpec,
    compareInstanceIdentity,
    compareReuse,
    type Comparison,
    settledAttributes,
    missingObject,
    noteReason,
    refusal,
    spareListeners,
    unmanagedObject,
    userTags,
} from "./spec";

/** Compares an observed CLB with what a Service asks for. */
export function compareClb(spec: AdoptionSpec<ClbDesired>, observed: ObservedClb): Comparison {
    const instance = spec.reuse === undefined ? compareInstance(spec, observed) : [];
    const groups = compareGroups(spec, observed, "vServer group");
    const listeners = spec.desired.listeners.map((model) => compareListener(spec, observed, groups.targets, model));
    const adoption: Adoption = {
        loadBalancerId: observed.id,
        ...(spec.desired.loadBalancer.addressType === "intranet" && observed.vswitchId !== undefined
            ? { vswitchId: observed.vswitchId }
            : {}),
        ...defined({ instanceChargeType: observed.instanceChargeType, aclId: observed.aclId }),
        serverGroups: groups.ids,
        listeners: Object.assign({}, ...listeners.map(({ id }) => id)) as Record<string, string>,
        domainExtensions: Object.assign({}, ...listeners.map(({ domainExtensions }) => domainExtensions)) as Record<
            string,
            string
        >,
        keep: {
            instance: instance.map(({ attribute }) => attribute),
            ...Object.fromEntries(listeners.map(({ key, keep }) => [key, keep])),
        },
    };
    return {
        adoption,
        differences: [
            ...(spec.reuse === undefined ? compareInstanceIdentity(spec, observed) : compareReuse(spec, observed)),
            ...instance,
            ...groups.differences,
            ...listeners.flatMap(({ differences }) => differences),
            ...spareListeners(spec, observed),
        ],
    };
}

function compareInstance(spec: AdoptionSpec<ClbDesired>, observed: ObservedClb): Difference[] {
    const { desired, references, uid, owner, resourceGroupId, keepsCharge } = spec;
    const model = desired.loadBalancer;
    const ownerName = defaultLoadBalancerName(uid);
    const instanceChargeType = (keepsCharge ? observed.instanceChargeType : undefined) ?? model.instanceChargeType;
    const attributes = instanceAttributes(model, {
        name: model.name ?? ownerName,
        reason: model.name === undefined ? PROTECTION_REASON : markedProtectionReason(ownerName),
        tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: owner.clusterId },
        vswitchId: references.vswitchId ?? model.vswitch?.named,
        resourceGroupId,
        charge: { instanceChargeType, loadBalancerSpec: specFor(model, instanceChargeType) },
    });
    const found = instanceInputs(observed);
    return differencesOf("load balancer", diffAttributes(settledAttributes({ ...attributes }), found)).map(noteReason);
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
        internetChargeType: internetChargeType?.replace(/^payby(traffic|bandwidth)$/i, (_, kind: string) =>
            kind.toLowerCase() === "traffic" ? "PayByTraffic" : "PayByBandwidth",
        ),
        tags: userTags(tags),
    };
}

/** Listener that can be taken over, if it exists, and its differences from the desired one. */
interface Compared {
    readonly key: string;
    readonly id: Record<string, string>;
    readonly domainExtensions: Record<string, string>;
    readonly keep: readonly string[];
    readonly differences: readonly Difference[];
}

/** Compares a desired listener with the one on its port. */
function compareListener(
    spec: AdoptionSpec<ClbDesired>,
    observed: ObservedClb,
    groupIds: Readonly<Record<string, string>>,
    model: ClbListener,
): Compared {
    const object = `listener ${listenerName(model)}`;
    const mark = ownershipKey(model.port, spec.owner);
    const found = observed.listeners.find((listener) => sharePort(listener, model));
    const none: Compared = { key: model.key, id: {}, domainExtensions: {}, keep: [], differences: [] };
    if (found === undefined) return { ...none, differences: [missingObject(object)] };
    if (found.protocol !== model.protocol)
        return { ...none, differences: [refusal(object, "protocol", found.protocol, model.protocol)] };
    if (found.description !== "" && !sameOwner(found.description, mark))
        return { ...none, differences: [refusal(object, "description", found.description, mark)] };
    const desired = {
        ...settledAttributes({ ...listenerAttributes(model, referencesOf(spec, observed, model)) }),
        description: mark,
        serverGroupId: groupIds[model.serverGroup] ?? "(to be created)",
    };
    const attributes = differencesOf(object, diffAttributes(desired, attributesOf(found))).map((one) =>
        // A listener that redirects passes nothing on, so it needs no group, and CCM gives it none.
        model.forwardTo !== undefined && one.attribute === "serverGroupId"
            ? difference({ ...one, verdict: "note" })
            : one,
    );
    const options = differencesOf(
        object,
        diffAttributes(ownListenerOptions(model), {
            ...OPTION_DEFAULTS,
            ...ownListenerOptions(found),
        }),
    );
    const domains = compareDomains(object, model, found.domainExtensions);
    return {
        key: model.key,
        id: { [model.key]: `${observed.id}:${found.protocol}:${found.port}` },
        domainExtensions: domains.ids,
        keep: attributes.map(({ attribute }) => attribute),
        differences: [...attributes, ...options, ...domains.differences, ...stopped(object, found)],
    };
}

/** Ids that the plugin's listener refers to. */
function referencesOf(
    { desired, references, owner }: AdoptionSpec<ClbDesired>,
    { aclId }: ObservedClb,
    { access, forwardTo, port }: ClbListener,
): ListenerReferences {
    const ids = access.status === "off" ? [] : (access.aclIds ?? [aclId ?? "(to be created)"]);
    const isReferred = references.aclId !== undefined && access.status === "on" && access.aclIds !== undefined;
    return {
        description: ownershipKey(port, owner),
        aclIds: isReferred ? [references.aclId] : ids,
        certId: references.certId,
        forwardPort: desired.listeners.find(({ key }) => key === forwardTo)?.port,
    };
}

/** Inputs of the plugin for an observed listener; some of them no Service sets. */
function attributesOf(found: ObservedClb["listeners"][number]): Attributes {
    const { access, forwardPort, description, serverGroupId, bandwidth, addsAddress, addsId } = found;
    const aclIds = access.status === "off" ? [] : (access.aclIds ?? []);
    const attributes = listenerAttributes(found, { description, aclIds, certId: undefined, forwardPort });
    const headers = {
        ...(attributes.xForwardedFor as Attributes | undefined),
        retriveSlbIp: addsAddress,
        retriveSlbId: addsId,
    };
    return { ...attributes, serverGroupId, bandwidth, xForwardedFor: headers };
}

/** Domains are resources of their own: one with another certificate would change, so it is refused with the rest. */
function compareDomains(object: string, model: ClbListener, observed: readonly ObservedDomainExtension[]) {
    const ids: Record<string, string> = {};
    const differences = (model.tls?.domains ?? []).flatMap(({ domain, certId }) => {
        const found = observed.find((one) => one.domain === domain);
        if (found === undefined) return [missingObject(object, undefined, `domain ${domain}`)];
        if (found.certId !== certId) return [refusal(object, `certificate of ${domain}`, found.certId, certId)];
        ids[`${model.key}/${domain}`] = found.id;
        return [];
    });
    const surplus = observed.filter(({ domain }) => model.tls?.domains.every((desired) => desired.domain !== domain));
    return {
        ids,
        differences: [...differences, ...surplus.map(({ domain }) => unmanagedObject(object, `domain ${domain}`))],
    };
}

function stopped(object: string, { status: observed }: { readonly status: string }): Difference[] {
    const desired = "running, from the next run with --refresh";
    return observed === "stopped"
        ? [difference({ verdict: "note", object, attribute: "status", observed, desired })]
        : [];
}
