/** Differences between the observed and the desired objects of a Service, as a refresh finds them. */

import { compareAcl, compareClbGroup, compareClbInstance, compareClbListener } from "../../provider/clb/compare";
import {
    compareNlbGroup,
    compareNlbInstance,
    compareNlbListener,
    compareSourceRules,
} from "../../provider/nlb/compare";
import { nlbListenerMark } from "../../provider/nlb/listener";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { compareReused } from "../../provider/plan/reuse/changes";
import type { Difference } from "../../provider/schema/difference";
import * as names from "../../provider/schema/names";
import { buildReuse } from "../../provider/service/reuse";
import type { Service } from "../../provider/service/service";
import { instanceMarkOf, listenerViews, managedGroups, ownerOf } from "./groups";
import type { InspectedService, LiveCloud, ObservedLiveListener } from "./model";

export interface Drift extends Difference {
    /** `load balancer`, `listener tcp:80`, `server group tcp-80`, `the tag set of the load balancer`. */
    readonly object: string;
}

type Found = Extract<LiveCloud, { kind: "found" }>;

/** Service whose load balancer was read. */
interface Known {
    readonly live: InspectedService;
    readonly cloud: Found;
    readonly service: Service;
    readonly model: ClbDesired | NlbDesired;
    /** Undefined if no object tells the id of the cluster. */
    readonly owner: names.Owner | undefined;
    /** Value of the ownership tag, and default name of the instance. */
    readonly mark: string;
    readonly tags: Readonly<Record<string, string>>;
}

/** Returns the differences between observed and desired managed objects, none without the cloud. */
export function driftOf(live: InspectedService): Drift[] {
    const { object, service, model, cloud } = live;
    if (cloud.kind !== "found" || service === undefined || model === undefined) return [];
    const mark = instanceMarkOf(object);
    const owner = ownerOf(live);
    const clusterId = owner?.clusterId ?? cloud.instance.tags[names.CLUSTER_TAG];
    const tags = { [names.OWNER_TAG]: mark, ...(clusterId !== undefined && { [names.CLUSTER_TAG]: clusterId }) };
    const known = { live, cloud, service, model, owner, mark, tags };
    return [
        ...named("the load balancer", instanceDrift(known)),
        ...accessDrift(known),
        ...listenerViews(live).flatMap(({ key, own, listener }) => {
            const name = `${listener?.protocol}:${listener?.port}`;
            const observed = cloud.listeners[name];
            return own && observed !== undefined ? named(`listener ${name}`, listenerDrift(known, key, observed)) : [];
        }),
        ...groupDrift(known),
    ];
}

const TAG = "tags.";

const named = (object: string, found: readonly Difference[]): Drift[] =>
    found
        // A stopped listener has a finding of its own.
        .filter(({ attribute, change }) => change !== "ignored" && attribute !== "status")
        .map((one) =>
            one.attribute.startsWith(TAG)
                ? { ...one, object: `the tag set of ${object}`, attribute: one.attribute.slice(TAG.length) }
                : { ...one, object: object.replace(/^the /, "") },
        );

function instanceDrift({ live, cloud: { instance, securityGroup }, service, model, mark, tags }: Known): Difference[] {
    const { facts } = live.seen;
    const request = buildReuse(service, facts, []);
    if (request !== undefined) {
        // The tag of reused instances tells a cluster not to delete them.
        const additionalTags = { ...request.additionalTags, [names.REUSED_TAG]: "true" };
        return compareReused({ ...request, additionalTags }, instance);
    }
    if (model.kind === "nlb" && instance.kind === "nlb")
        return compareNlbInstance(model.loadBalancer, instance, {
            mark,
            tags,
            vpcId: facts.vpcId,
            ownGroup: securityGroup?.id ?? "(deleted)",
        });
    if (model.kind !== "clb" || instance.kind !== "clb") return [];
    // A shared load balancer has neither the name nor a tag of a load balancer made for a Service.
    const { name = mark } = model.loadBalancer;
    const isShared = instance.tags[names.OWNER_TAG] !== mark && instance.tags[names.CLUSTER_TAG] === undefined;
    if (instance.name !== name && isShared) return [];
    return compareClbInstance(model.loadBalancer, instance, { settings: service.settings, facts, mark, tags });
}

/** Compares the access control list or the security group, which the Service's source ranges fill. */
function accessDrift({ cloud: { acl, securityGroup }, model, mark, tags }: Known): Drift[] {
    if (acl !== undefined)
        return named(`access control list ${acl.id}`, compareAcl(model.loadBalancer, acl, { mark, tags }));
    if (model.kind === "clb" || securityGroup === undefined) return [];
    return named(`security group ${securityGroup.id}`, compareSourceRules(model.loadBalancer, securityGroup.rules));
}

/** Compares a managed listener. A missing access control list has a finding of its own. */
function listenerDrift({ cloud, model, owner }: Known, key: string, observed: ObservedLiveListener): Difference[] {
    const is = (one: { readonly key: string; readonly protocol: string }) =>
        one.key === key && one.protocol === observed.protocol;
    if (model.kind === "nlb" && observed.kind === "nlb") {
        const desired = model.listeners.find(is);
        const description = desired && owner && nlbListenerMark(desired, owner);
        return desired === undefined ? [] : compareNlbListener(desired, observed, { description });
    }
    if (model.kind !== "clb" || observed.kind !== "clb") return [];
    const desired = model.listeners.find(is);
    if (desired === undefined) return [];
    const description = owner && names.ownershipKey(desired.port, owner);
    return compareClbListener(desired, observed, { description, aclId: cloud.acl?.id });
}

function groupDrift({ live, cloud, model, tags }: Known): Drift[] {
    return managedGroups(live).flatMap(({ model: { key }, group, name }) => {
        const observed = cloud.groups[group.id];
        const desired = model.kind === "nlb" ? model.serverGroups.find((one) => one.key === key) : undefined;
        return named(
            `server group ${key}`,
            desired === undefined || observed === undefined
                ? compareClbGroup(name, group)
                : compareNlbGroup(desired, observed, { name, tags }),
        );
    });
}
