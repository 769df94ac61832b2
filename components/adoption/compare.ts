import type { AdoptableLoadBalancer } from "../../provider/observe/adoption";
import type { Adoption, Divergence } from "../../provider/model/adoption";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    markedProtectionReason,
    OWNER_TAG,
    PROTECTION_REASON,
    sameOwner,
} from "../../provider/model/names";
import { compareAttributes } from "../../provider/plan/adoption";
import { instanceAttributes } from "../clb/load-balancer";
import { compareGroups } from "./groups";
import { compareListener } from "./listeners";
import { observeInstance } from "./observe";
import { keyOf, known, type Wanted } from "./wanted";

/** What can be taken over, and everything that is not as the Service says. */
export interface Comparison {
    readonly adoption: Adoption;
    readonly divergences: readonly Divergence[];
}

/** Holds a standing instance against what a Service wants of it. */
export function compareObserved(wanted: Wanted, standing: AdoptableLoadBalancer): Comparison {
    const instance = compareInstance(wanted, standing);
    const groups = compareGroups(wanted, standing);
    const listeners = wanted.desired.listeners.map((model) => compareListener(wanted, standing, groups.ids, model));
    const adoption: Adoption = {
        loadBalancerId: standing.instance.id,
        ...(wanted.desired.loadBalancer.addressType === "intranet" && standing.instance.vswitchId !== undefined
            ? { vswitchId: standing.instance.vswitchId }
            : {}),
        ...(standing.aclId === undefined ? {} : { aclId: standing.aclId }),
        serverGroups: groups.ids,
        listeners: Object.assign({}, ...listeners.map(({ id }) => id)) as Record<string, string>,
        domainExtensions: Object.assign({}, ...listeners.map(({ domainExtensions }) => domainExtensions)) as Record<
            string,
            string
        >,
        keep: {
            instance: instance.map(({ setting }) => setting),
            ...Object.fromEntries(listeners.map(({ key, keep }) => [key, keep])),
        },
    };
    return {
        adoption,
        divergences: [
            ...identity(wanted, standing),
            ...instance,
            ...groups.divergences,
            ...listeners.flatMap(({ divergences }) => divergences),
            ...left(wanted, standing),
        ],
    };
}

/** An instance of another Service, or of nobody, is never taken over. */
function identity({ uid }: Wanted, { tags }: AdoptableLoadBalancer): Divergence[] {
    const mark = tags[OWNER_TAG];
    const expected = defaultLoadBalancerName(uid);
    return mark === undefined || mark === expected
        ? []
        : [
              {
                  verdict: "refused",
                  object: "load balancer",
                  setting: `tag ${OWNER_TAG}`,
                  cloud: mark,
                  service: expected,
              },
          ];
}

function compareInstance(wanted: Wanted, { instance, tags }: AdoptableLoadBalancer): Divergence[] {
    const { desired, references, uid, clusterId } = wanted;
    const model = desired.loadBalancer;
    const ownerName = defaultLoadBalancerName(uid);
    const attributes = instanceAttributes(model, {
        name: model.name ?? ownerName,
        reason: model.name === undefined ? PROTECTION_REASON : markedProtectionReason(ownerName),
        tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: clusterId },
        vswitchId: references.vswitchId ?? model.vswitch?.named,
        resourceGroupId: references.resourceGroupId ?? model.resourceGroupId,
    });
    return compareAttributes("load balancer", known({ ...attributes }), observeInstance(instance, tags)).map(
        (divergence) =>
            // The reason is for people; the controller writes another one than this package does where the instance has a name of its own, or none after a change.
            divergence.setting === "modificationProtectionReason" ? { ...divergence, verdict: "note" } : divergence,
    );
}

/** What bears the Service's name and is wanted no more: nobody removes it after the takeover. */
function left({ desired, groups, owner }: Wanted, { listeners, serverGroups }: AdoptableLoadBalancer): Divergence[] {
    const ports = new Set(desired.listeners.map(({ key }) => key));
    const spare = listeners.filter(
        (listener) => !ports.has(keyOf(listener)) && sameOwner(String(listener.attributes["Description"] ?? ""), owner),
    );
    const unused = serverGroups.filter(({ name }) => groups.every((group) => group.name !== name));
    const unmanaged = (object: string): Divergence => ({
        verdict: "note",
        object,
        setting: "",
        cloud: "there",
        service: "stays, unmanaged",
    });
    return [
        ...spare.map(({ protocol, port }) => unmanaged(`listener ${protocol}:${port}`)),
        ...unused.map(({ name }) => unmanaged(`vServer group ${name}`)),
    ];
}
