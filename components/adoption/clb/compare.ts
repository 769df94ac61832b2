import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { observedArguments } from "../../../provider/service/annotations";
import type { ClbDesired } from "../../../provider/plan/desired";
import { specFor } from "../../../provider/clb/load-balancer";
import { type ClbListener, isLayer4 } from "../../../provider/clb/listener";
import { portKey } from "../../../provider/clb/server-group";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    markedProtectionReason,
    OWNER_TAG,
    PROTECTION_REASON,
    sameOwner,
} from "../../../provider/schema/names";
import type { Adoption } from "../../../provider/plan/adoption";
import type { ObservedClb, ObservedClbListener } from "../../../provider/schema/observed";
import { type Attributes, compareAttributes } from "../../../provider/plan/diff";
import { difference, type Difference } from "../../../provider/plan/adoption";
import { defined } from "../../../provider/schema/defined";
import { listenerAttributes } from "../../clb/listener-attributes";
import { differingOptions } from "../../clb/listener-options";
import { instanceAttributes } from "../../clb/load-balancer";
import { compareGroups } from "../groups";
import {
    type AdoptionSpec,
    compareInstanceIdentity,
    compareReuse,
    type Comparison,
    settledAttributes,
    missingObject,
    refusal,
    unmanagedObject,
    userTags,
} from "../spec";

/** Compares an observed CLB with what a Service asks for. */
export function compareClb(spec: AdoptionSpec<ClbDesired>, observed: ObservedClb): Comparison {
    const instance = spec.reuse === undefined ? compareInstance(spec, observed) : [];
    const groups = compareGroups(spec, observed, {
        noun: "vServer group",
        usedBy: (key) => {
            const ports = spec.desired.listeners.filter(({ serverGroup }) => serverGroup === key);
            return new Set(
                observed.listeners
                    .filter((listener) => ports.some((model) => model.key === listenerKeyOf(listener)))
                    .map(({ serverGroupId }) => serverGroupId),
            );
        },
    });
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
    const { desired, references, uid, clusterId, resourceGroupId, keepsCharge } = spec;
    const model = desired.loadBalancer;
    const ownerName = defaultLoadBalancerName(uid);
    const instanceChargeType = (keepsCharge ? observed.instanceChargeType : undefined) ?? model.instanceChargeType;
    const attributes = instanceAttributes(model, {
        name: model.name ?? ownerName,
        reason: model.name === undefined ? PROTECTION_REASON : markedProtectionReason(ownerName),
        tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: clusterId },
        vswitchId: references.vswitchId ?? model.vswitch?.named,
        resourceGroupId,
        charge: { instanceChargeType, loadBalancerSpec: specFor(model, instanceChargeType) },
    });
    return compareAttributes("load balancer", settledAttributes({ ...attributes }), observeInstance(observed)).map(
        (found) =>
            // The reason is for people. CCM writes another reason for an instance with its own name, and none after a
            // change.
            found.attribute === "modificationProtectionReason" ? difference({ ...found, verdict: "note" }) : found,
    );
}

function spareListeners({ desired, owner }: AdoptionSpec<ClbDesired>, { listeners }: ObservedClb): Difference[] {
    const ports = new Set(desired.listeners.map(({ key }) => key));
    return listeners
        .filter((listener) => !ports.has(listenerKeyOf(listener)) && sameOwner(listener.description, owner))
        .map(({ protocol, port }) => unmanagedObject(`listener ${protocol}:${port}`));
}

/** Key of the port that a listener takes up. */
export function listenerKeyOf({ protocol, port }: Pick<ObservedClbListener, "protocol" | "port">): string {
    return portKey({ port, protocol: protocol === "udp" ? "UDP" : "TCP" });
}

/** A listener that can be taken over, if it is there, and what of it is not as the Service says. */
export interface ComparedListener {
    readonly key: string;
    readonly id: Record<string, string>;
    readonly domainExtensions: Record<string, string>;
    readonly keep: readonly string[];
    readonly differences: readonly Difference[];
}

/** Holds the listener that stands on a port against the one that the Service wants there. */
export function compareListener(
    spec: AdoptionSpec<ClbDesired>,
    observed: ObservedClb,
    groupIds: Readonly<Record<string, string>>,
    model: ClbListener,
): ComparedListener {
    const object = `listener ${model.protocol}:${model.port}`;
    const found = observed.listeners.find((listener) => listenerKeyOf(listener) === model.key);
    const none: ComparedListener = { key: model.key, id: {}, domainExtensions: {}, keep: [], differences: [] };
    if (found === undefined) return { ...none, differences: [missingObject(object)] };
    if (found.protocol !== model.protocol) {
        return { ...none, differences: [refusal(object, "protocol", found.protocol, model.protocol)] };
    }
    const { description } = found;
    if (description !== "" && !sameOwner(description, spec.owner)) {
        return { ...none, differences: [refusal(object, "description", description, model.description)] };
    }
    const desired = settledAttributes({
        ...attributesOf(spec, observed, model),
        serverGroupId: groupIds[model.serverGroup] ?? "(to be created)",
    });
    const attributes = compareAttributes(object, desired, observeListener(found)).map((one) =>
        harmless(model, one) ? difference({ ...one, verdict: "note" }) : one,
    );
    const options = differingOptions(model, found.attributes).map((one): Difference =>
        difference({
            verdict: "differs",
            object,
            attribute: one.option,
            observed: one.actual,
            desired: one.desired,
        }),
    );
    const domains = compareDomains(object, model, found.domainExtensions);
    return {
        key: model.key,
        id: { [model.key]: `${observed.id}:${found.protocol}:${found.port}` },
        domainExtensions: domains.ids,
        keep: attributes.map(({ attribute }) => attribute),
        differences: [...attributes, ...options, ...domains.differences, ...stopped(object, found.attributes)],
    };
}

/** A listener that redirects passes nothing on, so it needs no group, and the controller gives it none. */
function harmless(model: ClbListener, { attribute }: Difference): boolean {
    return model.forwardTo !== undefined && attribute === "serverGroupId";
}

/** Plugin attributes of the listener, without ids that are known only after their resource exists. */
function attributesOf(
    { desired, references }: AdoptionSpec<ClbDesired>,
    { aclId }: ObservedClb,
    model: ClbListener,
): Attributes {
    const target = desired.listeners.find(({ key }) => key === model.forwardTo);
    const { access } = model;
    const named =
        access.status === "off"
            ? []
            : access.aclIds === undefined
              ? [aclId ?? "(to be created)"]
              : references.aclId === undefined
                ? access.aclIds
                : [references.aclId];
    return listenerAttributes(model, { aclIds: named, certId: references.certId, forwardPort: target?.port });
}

/** Domains are resources of their own: one with another certificate would change, so it is refused with the rest. */
function compareDomains(
    object: string,
    model: ClbListener,
    observed: readonly { readonly id: string; readonly domain: string; readonly certId: string }[],
) {
    const ids: Record<string, string> = {};
    const differences: Difference[] = [];
    for (const { domain, certId } of model.tls?.domains ?? []) {
        const found = observed.find((one) => one.domain === domain);
        if (found === undefined) {
            differences.push(
                difference({
                    verdict: "note",
                    object,
                    attribute: `domain ${domain}`,
                    observed: "-",
                    desired: "will be created",
                }),
            );
        } else if (found.certId !== certId) {
            differences.push(refusal(object, `certificate of ${domain}`, found.certId, certId));
        } else {
            ids[`${model.key}/${domain}`] = found.id;
        }
    }
    const surplus = observed.filter(({ domain }) => model.tls?.domains.every((desired) => desired.domain !== domain));
    return {
        ids,
        differences: [...differences, ...surplus.map(({ domain }) => unmanagedObject(object, `domain ${domain}`))],
    };
}

function stopped(object: string, attributes: Readonly<Record<string, unknown>>): Difference[] {
    const status = String(attributes["Status"] ?? "");
    return status === "stopped"
        ? [
              difference({
                  verdict: "note",
                  object,
                  attribute: "status",
                  observed: "stopped",
                  desired: "running, from the next run with --refresh",
              }),
          ]
        : [];
}

/** An instance in the words of the alicloud plugin. */
export function observeInstance(observed: ObservedClb): Record<string, unknown> {
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

/** A listener in the words of the alicloud plugin. Most of them are the API's with a small first letter. */
export function observeListener({ protocol, port, attributes }: ObservedClbListener): Record<string, unknown> {
    const plain = observedArguments<pulumi.Unwrap<slb.ListenerArgs>>("clb", attributes);
    return {
        ...Object.fromEntries(
            Object.entries(attributes).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
        ),
        ...plain,
        protocol,
        frontendPort: port,
        serverGroupId: attributes["VServerGroupId"],
        aclIds: String(attributes["AclId"] ?? "")
            .split(",")
            .filter((id) => id !== ""),
        healthCheckTimeout: attributes[isLayer4({ protocol }) ? "HealthCheckConnectTimeout" : "HealthCheckTimeout"],
        xForwardedFor: {
            ...plain.xForwardedFor,
            retriveSlbIp: attributes["XForwardedFor_SLBIP"] === "on",
            retriveSlbId: attributes["XForwardedFor_SLBID"] === "on",
        },
    };
}
