/** Differences between the observed and the desired objects of a Service, as a refresh finds them. */

import { compareAcl, compareClbGroup, compareClbInstance, compareClbListener } from "../../provider/clb/compare";
import * as nlb from "../../provider/nlb/compare";
import type { ClbDesired, NlbDesired } from "../../provider/plan/desired";
import { compareReused } from "../../provider/plan/reuse/changes";
import type { Difference, Place } from "../../provider/schema/difference";
import { CLUSTER_TAG, OWNER_TAG, REUSED_TAG } from "../../provider/schema/names";
import type { ObservedServerGroup } from "../../provider/schema/server-group";
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
    readonly place: Place;
}

/** Returns the differences between observed and desired managed objects, none without the cloud. */
export function driftOf(live: InspectedService): Drift[] {
    const { object, service, model, cloud } = live;
    if (cloud.kind !== "found" || service === undefined || model === undefined) return [];
    const mark = instanceMarkOf(object);
    const owner = ownerOf(live);
    const clusterId = owner?.clusterId ?? cloud.instance.tags[CLUSTER_TAG];
    const tags = { [OWNER_TAG]: mark, ...(clusterId !== undefined && { [CLUSTER_TAG]: clusterId }) };
    const { acl, securityGroup } = cloud;
    const { vpcId } = live.seen.facts;
    const place = { mark, tags, owner, aclId: acl?.id, securityGroupId: securityGroup?.id, vpcId };
    const known = { live, cloud, service, model, place };
    return [
        ...named("load balancer", instanceDrift(known)),
        ...named(`access control list ${acl?.id}`, acl ? compareAcl(model.loadBalancer, acl, place) : []),
        ...named(`security group ${securityGroup?.id}`, ruleDrift(known)),
        ...listenerViews(live).flatMap(({ key, own, listener }) => {
            const name = `${listener?.protocol}:${listener?.port}`;
            const observed = cloud.listeners[name];
            return own && observed !== undefined ? named(`listener ${name}`, listenerDrift(known, key, observed)) : [];
        }),
        ...managedGroups(live).flatMap(({ model: { key }, group, name }) =>
            named(`server group ${key}`, groupDrift(known, key, group, name)),
        ),
    ];
}

const TAG = "tags.";

const named = (object: string, found: readonly Difference[]): Drift[] =>
    found
        // A stopped listener has a finding of its own.
        .filter(({ attribute, change }) => change !== "ignored" && attribute !== "status")
        .map((one) => {
            if (!one.attribute.startsWith(TAG)) return { ...one, object };
            const tagged = object.startsWith("load") ? `the ${object}` : object;
            return { ...one, object: `the tag set of ${tagged}`, attribute: one.attribute.slice(TAG.length) };
        });

const ruleDrift = ({ cloud: { securityGroup }, model }: Known): Difference[] =>
    model.kind === "nlb" && securityGroup ? nlb.compareSourceRules(model.loadBalancer, securityGroup.rules) : [];

function instanceDrift({ live, cloud: { instance }, service, model, place }: Known): Difference[] {
    const { facts } = live.seen;
    const request = buildReuse(service, facts, []);
    if (request !== undefined) {
        // The tag of reused instances tells a cluster not to delete them.
        const additionalTags = { ...request.additionalTags, [REUSED_TAG]: "true" };
        return compareReused({ ...request, additionalTags }, instance);
    }
    if (model.kind === "nlb")
        return instance.kind === "nlb" ? nlb.compareNlbInstance(model.loadBalancer, instance, place) : [];
    if (instance.kind !== "clb") return [];
    // A shared load balancer has neither the name nor a tag of a load balancer made for a Service.
    const { name = place.mark } = model.loadBalancer;
    const isShared = instance.tags[OWNER_TAG] !== place.mark && instance.tags[CLUSTER_TAG] === undefined;
    if (instance.name !== name && isShared) return [];
    return compareClbInstance(model.loadBalancer, instance, place, { settings: service.settings, facts });
}

/** Compares a managed listener. A missing access control list has a finding of its own. */
function listenerDrift({ model, place }: Known, key: string, observed: ObservedLiveListener): Difference[] {
    const isDesired = (one: { readonly key: string; readonly protocol: string }) =>
        one.key === key && one.protocol === observed.protocol;
    if (model.kind === "nlb") {
        const desired = model.listeners.find(isDesired);
        return desired && observed.kind === "nlb" ? nlb.compareNlbListener(desired, observed, place) : [];
    }
    const desired = model.listeners.find(isDesired);
    return desired && observed.kind === "clb" ? compareClbListener(desired, observed, place) : [];
}

function groupDrift(
    { cloud, model, place }: Known,
    key: string,
    group: ObservedServerGroup,
    name: string | undefined,
): Difference[] {
    const observed = cloud.groups[group.id];
    const desired = model.kind === "nlb" ? model.serverGroups.find((one) => one.key === key) : undefined;
    if (desired === undefined || observed === undefined) return compareClbGroup(group, name);
    return nlb.compareNlbGroup(desired, observed, place, name);
}
