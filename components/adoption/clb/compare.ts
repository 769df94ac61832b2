import { type ClbDesired, specFor } from "../../../provider/builder";
import type { Adoption, ObservedClb } from "../../../provider/model/observed";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    markedProtectionReason,
    OWNER_TAG,
    PROTECTION_REASON,
    sameOwner,
} from "../../../provider/model/names";
import { compareAttributes, difference, type Difference } from "../../../provider/plan/adoption";
import { instanceAttributes } from "../../clb/load-balancer";
import type { Comparison } from "../comparison";
import { compareGroups } from "../groups";
import { compareInstanceIdentity, compareReuse, unmanaged } from "../instance";
import { type AdoptionSpec, known } from "../spec";
import { compareListener, listenerKeyOf } from "./listeners";
import { observeInstance } from "./observe";
import { defined } from "../../../provider/schema/defined";

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
    return compareAttributes("load balancer", known({ ...attributes }), observeInstance(observed)).map((found) =>
        // The reason is for people; the controller writes another one than this package does where the instance has a name of its own, or none after a change.
        found.attribute === "modificationProtectionReason" ? difference({ ...found, verdict: "note" }) : found,
    );
}

function spareListeners({ desired, owner }: AdoptionSpec<ClbDesired>, { listeners }: ObservedClb): Difference[] {
    const ports = new Set(desired.listeners.map(({ key }) => key));
    return listeners
        .filter((listener) => !ports.has(listenerKeyOf(listener)) && sameOwner(listener.description, owner))
        .map(({ protocol, port }) => unmanaged(`listener ${protocol}:${port}`));
}
