import type { Adoption } from "../../provider/model/adoption";
import type { ObservedClb } from "../../provider/model/observed";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    markedProtectionReason,
    OWNER_TAG,
    PROTECTION_REASON,
    sameOwner,
} from "../../provider/model/names";
import { compareAttributes, difference, type Difference } from "../../provider/plan/adoption";
import { instanceAttributes } from "../clb/load-balancer";
import { compareGroups } from "./groups";
import { compareListener } from "./listeners";
import { observeInstance } from "./observe";
import { keyOf, known, type AdoptionSpec } from "./spec";

/** What can be taken over, and everything that is not as the Service says. */
export interface Comparison {
    readonly adoption: Adoption;
    readonly differences: readonly Difference[];
}

/** Compares an observed instance with what a Service asks for. */
export function compareObserved(spec: AdoptionSpec, observed: ObservedClb): Comparison {
    const instance = compareInstance(spec, observed);
    const groups = compareGroups(spec, observed);
    const listeners = spec.desired.listeners.map((model) => compareListener(spec, observed, groups.ids, model));
    const adoption: Adoption = {
        loadBalancerId: observed.id,
        ...(spec.desired.loadBalancer.addressType === "intranet" && observed.vswitchId !== undefined
            ? { vswitchId: observed.vswitchId }
            : {}),
        ...(observed.aclId === undefined ? {} : { aclId: observed.aclId }),
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
            ...identity(spec, observed),
            ...instance,
            ...groups.differences,
            ...listeners.flatMap(({ differences }) => differences),
            ...left(spec, observed),
        ],
    };
}

/** An instance that belongs to another Service, or to none, is never taken over. */
function identity({ uid }: AdoptionSpec, { tags }: ObservedClb): Difference[] {
    const mark = tags[OWNER_TAG];
    const expected = defaultLoadBalancerName(uid);
    return mark === undefined || mark === expected
        ? []
        : [
              difference({
                  verdict: "refused",
                  object: "load balancer",
                  attribute: `tag ${OWNER_TAG}`,
                  observed: mark,
                  desired: expected,
              }),
          ];
}

function compareInstance(spec: AdoptionSpec, observed: ObservedClb): Difference[] {
    const { desired, references, uid, clusterId } = spec;
    const model = desired.loadBalancer;
    const ownerName = defaultLoadBalancerName(uid);
    const attributes = instanceAttributes(model, {
        name: model.name ?? ownerName,
        reason: model.name === undefined ? PROTECTION_REASON : markedProtectionReason(ownerName),
        tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: clusterId },
        vswitchId: references.vswitchId ?? model.vswitch?.named,
        resourceGroupId: references.resourceGroupId ?? model.resourceGroupId,
    });
    return compareAttributes("load balancer", known({ ...attributes }), observeInstance(observed)).map((found) =>
        // The reason is for people; the controller writes another one than this package does where the instance has a name of its own, or none after a change.
        found.attribute === "modificationProtectionReason" ? difference({ ...found, verdict: "note" }) : found,
    );
}

/** What carries the Service's name and is no longer desired: nothing removes it after the takeover. */
function left({ desired, groups, owner }: AdoptionSpec, { listeners, serverGroups }: ObservedClb): Difference[] {
    const ports = new Set(desired.listeners.map(({ key }) => key));
    const spare = listeners.filter((listener) => !ports.has(keyOf(listener)) && sameOwner(listener.description, owner));
    const unused = serverGroups.filter(({ name }) => groups.every((group) => group.name !== name));
    const unmanaged = (object: string): Difference =>
        difference({
            verdict: "note",
            object,
            attribute: "",
            observed: "there",
            desired: "stays, unmanaged",
        });
    return [
        ...spare.map(({ protocol, port }) => unmanaged(`listener ${protocol}:${port}`)),
        ...unused.map(({ name }) => unmanaged(`vServer group ${name}`)),
    ];
}
