import type { NlbDesired } from "../../../provider/builder";
import { type Adoption, groupKeep, type ObservedNlb } from "../../../provider/model/observed";
import { defaultLoadBalancerName, sameOwner } from "../../../provider/model/names";
import { portText } from "../../../provider/model/nlb";
import { sharePort } from "../../../provider/plan";
import { difference, type Difference } from "../../../provider/plan/adoption";
import { nlbInstanceAttributes } from "../../nlb/load-balancer";
import { sourceRules } from "../../nlb/security-group";
import type { Comparison } from "../comparison";
import { compareInstanceIdentity, compareReuse, missing, refused, unmanaged } from "../instance";
import { type AdoptionSpec, known } from "../spec";
import { compareNlbAttributes } from "./attributes";
import { compareNlbGroups } from "./groups";
import { addressOf, compareNlbListener } from "./listeners";
import { observeNlbInstance } from "./observe";
import { compareZones } from "./zones";
import { defined } from "../../../provider/schema/defined";

type Spec = AdoptionSpec<NlbDesired>;

/** Compares an observed NLB with what a Service asks for. */
export function compareNlb(spec: Spec, observed: ObservedNlb): Comparison {
    const own = spec.reuse === undefined;
    const instance = own ? compareInstance(spec, observed) : { keep: [], differences: [] };
    const zones = own ? compareZones(spec, observed) : [];
    const groups = compareNlbGroups(spec, observed);
    const listeners = spec.desired.listeners.map((model) => compareNlbListener(spec, observed, groups.targets, model));
    const { bandwidthPackageId, securityGroup } = observed;
    const adoption: Adoption = {
        loadBalancerId: observed.id,
        ...defined({ securityGroupId: securityGroup?.id }),
        ...(zones.length === 0 ? {} : { zones: observed.zoneMaps ?? [] }),
        ...defined({ bandwidthPackageId }),
        serverGroups: groups.ids,
        listeners: Object.fromEntries(listeners.flatMap(({ key, id }) => (id === undefined ? [] : [[key, id]]))),
        domainExtensions: {},
        keep: {
            // What is inside a zone the cloud has chosen where the Service says nothing.
            instance: [...instance.keep, "zoneMappings"],
            ...Object.fromEntries(listeners.map(({ key, keep }) => [key, keep])),
            ...Object.fromEntries(Object.entries(groups.keep).map(([key, keep]) => [groupKeep(key), keep])),
        },
    };
    return {
        adoption,
        differences: [
            ...(own ? compareInstanceIdentity(spec, observed) : compareReuse(spec, observed)),
            ...instance.differences,
            ...zones,
            ...(own ? [...compareBandwidthPackage(spec, observed), ...compareSourceRanges(spec, observed)] : []),
            ...groups.differences,
            ...listeners.flatMap(({ differences }) => differences),
            ...spareListeners(spec, observed),
        ],
    };
}

function compareInstance(spec: Spec, observed: ObservedNlb) {
    const { desired, references, uid, clusterId, resourceGroupId } = spec;
    const model = desired.loadBalancer;
    const ranges = observed.securityGroup;
    const { zoneMappings: _, ...attributes } = nlbInstanceAttributes(model, {
        ownerName: defaultLoadBalancerName(uid),
        clusterId,
        vpcId: model.vpcId ?? observed.vpcId ?? "",
        zoneMappings: [],
        securityGroupIds: [
            ...(references.securityGroupIds ?? model.securityGroupIds),
            ...(model.sourceRanges.length === 0 ? [] : [ranges?.id ?? "(to be created)"]),
        ],
        resourceGroupId,
    });
    // The limit of new connections is nothing that a Service says, and the plugin would take it away.
    return compareNlbAttributes("load balancer", known({ cps: "", ...attributes }), observeNlbInstance(observed));
}

/** An attachment of its own: one that is there is imported. */
function compareBandwidthPackage({ desired, references }: Spec, { bandwidthPackageId }: ObservedNlb): Difference[] {
    const asked = references.bandwidthPackageId ?? desired.loadBalancer.bandwidthPackageId;
    if (typeof asked === "string" ? asked === bandwidthPackageId : asked !== undefined) return [];
    if (asked === undefined) {
        return bandwidthPackageId === undefined
            ? []
            : [unmanaged("load balancer", `bandwidthPackageId ${bandwidthPackageId}`)];
    }
    return [refused("load balancer", "bandwidthPackageId", bandwidthPackageId ?? "-", String(asked))];
}

/** Rules of the security group are set by the run that takes over. */
function compareSourceRanges({ desired }: Spec, { securityGroup }: ObservedNlb): Difference[] {
    const rules = sourceRules(desired.loadBalancer);
    if (Object.keys(rules).length === 0) return [];
    const object = "security group of loadBalancerSourceRanges";
    if (securityGroup === undefined) return [missing(object)];
    const ranges = [...new Set([...Object.keys(rules), ...Object.keys(securityGroup.rules)])].sort();
    return ranges
        .filter((range) => rules[range] !== securityGroup.rules[range])
        .map((range) =>
            difference({
                verdict: "differs",
                object,
                attribute: range,
                observed: securityGroup.rules[range] ?? "-",
                desired: rules[range] ?? "-",
            }),
        );
}

function spareListeners({ desired, owner }: Spec, { listeners }: ObservedNlb): Difference[] {
    return listeners
        .filter(({ description }) => sameOwner(description, owner))
        .filter((listener) => !desired.listeners.some((model) => sharePort(addressOf(model), listener)))
        .map(({ protocol, port, endPort }) =>
            unmanaged(`listener ${protocol}:${portText(endPort === undefined ? port : { from: port, to: endPort })}`),
        );
}
