import type * as nlb from "@pulumi/alicloud/nlb";
import * as pulumi from "@pulumi/pulumi";
import { nlbImmutableFields } from "../../provider/nlb/load-balancer";
import type { NlbDesired } from "../../provider/plan/desired";
import { defined } from "../../provider/schema/defined";
import type { Component } from "../service/component";
import { releaseHooks } from "../service/hooks";
import {
    createRelease,
    type GroupHandle,
    groupResources,
    type InstanceResources,
    type LoadBalancerBase,
    type LoadBalancerPlan,
    type LoadBalancerResources,
    type LoadBalancerSpec,
} from "../service/resources";
import { createReusedInstance } from "../service/reuse";
import { checkNlbCertificates, createAdditionalCertificates, createNlbListeners } from "./listener";
import { attachBandwidthPackage, createNlbInstance } from "./load-balancer";
import { createSecurityGroup } from "./security-group";
import { createNlbServerGroups, createServerGroupOptions } from "./server-group";
import { checkZones, createRequest, createZones, type ZoneArgs, zonesOf } from "./zones";

type NlbSpec = LoadBalancerSpec<NlbDesired>;

/** Place of an NLB: the VPC of its server groups, and the zones that the Service names. */
interface NlbPlace {
    readonly vpcId: pulumi.Output<string>;
    readonly zones: readonly ZoneArgs[];
}

/** Plans the NLB of a Service, or the use of an existing one. */
export function planNlb(component: Component, spec: NlbSpec): LoadBalancerPlan {
    const { service, desired, cluster, references, adoption, reuse, resourceGroup } = spec;
    const model = desired.loadBalancer;
    const zones = zonesOf(model, references);
    // A preview dry-runs the creation of the instance.
    const isNew = reuse === undefined && adoption === undefined && pulumi.runtime.isDryRun();
    const found = reuse?.apply((one) => one.found?.vpcId ?? "");
    const check =
        reuse !== undefined && zones.length === 0
            ? undefined
            : checkZones(component, zones, {
                  vpcId: found ?? cluster.ids.vpcId,
                  request: isNew ? createRequest(model, zones, resourceGroup) : undefined,
              });
    const vpcId = found ?? check?.vpc ?? pulumi.output("");
    return {
        terms: {
            requested: {
                ...nlbImmutableFields(service, cluster.facts),
                clusterId: cluster.ids.clusterId,
                ...(reuse === undefined ? { vpcId } : {}),
                ...defined({ resourceGroupId: references.resourceGroupId }),
            },
            initial: resourceGroup.initial,
        },
        create: (base) => {
            const looks = reuse === undefined || check === undefined ? [] : [check];
            return create(component, spec, { ...base, dependsOn: [...base.dependsOn, ...looks] }, { vpcId, zones });
        },
    };
}

/** Creates instance, server groups with their backends, and listeners. */
function create(component: Component, spec: NlbSpec, base: LoadBalancerBase, place: NlbPlace): LoadBalancerResources {
    const { desired, references, adoption } = spec;
    const checked = checkNlbCertificates(component, desired.listeners, references.certId);
    const dependsOn = [...base.dependsOn, ...checked];
    const { groups, changes, ...made } = createInstance(component, spec, { ...base, dependsOn }, place);
    const { instance, release, reused } = made;
    const options = createServerGroupOptions(component, desired.serverGroups, groups);
    const { backends, bindings } = base.fill(groups, [...options, ...(reused === undefined ? [] : [reused])]);
    const listeners = createNlbListeners(component, desired.listeners, {
        instance,
        groups,
        backends,
        owner: base.marks.owner,
        references,
        adoption,
        dependsOn: [...changes, ...options, ...checked],
    });
    const certificates = createAdditionalCertificates(component, desired.listeners, listeners);
    return {
        ...made,
        serverGroups: groupResources(groups),
        backends,
        listeners,
        listenerOptions: {},
        ingress: [{ hostname: instance.address }],
        others: [...bindings, ...certificates, ...(release === undefined ? [] : [release])],
    };
}

/** Resources of a Service that exist before backends and listeners. */
interface NlbInstanceResources extends InstanceResources {
    readonly groups: Readonly<Record<string, GroupHandle<nlb.ServerGroup>>>;
    /** Resources that change the instance. It takes one change at a time, and no listener meanwhile. */
    readonly changes: readonly pulumi.Resource[];
}

/**
 * Creates the instance, or the use of a reused one, with its server groups.
 *
 * Groups outlive the instance, whose listeners use them: destroying a Service takes one delete for the instance and
 * one per group, as under CCM. Groups of a preserved instance stay with it, and are created after it. Those on a
 * reused instance are deleted last: other users of a group are reported before anything is deleted.
 */
function createInstance(
    component: Component,
    spec: NlbSpec,
    base: LoadBalancerBase,
    { vpcId, zones }: NlbPlace,
): NlbInstanceResources {
    const { service, desired, cluster, references, resourceGroup, adoption, reuse } = spec;
    const model = desired.loadBalancer;
    const place = { vpcId, resourceGroup, adoption };
    const createGroups = (deletedWith?: nlb.LoadBalancer) =>
        createNlbServerGroups(component, desired.serverGroups, { ...base, ...place }, deletedWith);
    const early = reuse === undefined && model.preserve ? undefined : createGroups();
    const dependsOn = [...base.dependsOn, ...Object.values(groupResources(early ?? {}))];
    if (reuse !== undefined) {
        const made = createReusedInstance(component, service, reuse, { ...base, dependsOn });
        return { ...made, groups: early ?? {}, changes: [made.reused] };
    }
    const sources = createSecurityGroup(component, model, base, vpcId, resourceGroup);
    // One that is taken over is known before the run, and what is imported must be known then.
    const ownSecurityGroup = sources === undefined ? [] : [adoption?.securityGroupId ?? sources.id];
    const securityGroupIds = [...(references.securityGroupIds ?? model.securityGroupIds), ...ownSecurityGroup];
    const { name: ownerName, tags } = base.marks;
    const identity = { ownerName, tags, vpcId, securityGroupIds };
    const loadBalancer = createNlbInstance(component, spec, identity, zones, dependsOn);
    const groups = early ?? createGroups(loadBalancer);
    // An adoption that allows other zones keeps the existing ones until the first run without it.
    const inZones = createZones(component, model, adoption?.zones ?? zones, loadBalancer);
    const packageId = references.bandwidthPackageId ?? model.bandwidthPackageId;
    const attached =
        packageId === undefined
            ? []
            : [attachBandwidthPackage(component, loadBalancer, packageId, { adoption, after: inZones })];
    const { id, dnsName: address } = loadBalancer;
    const serverGroupIds = model.preserve ? Object.values(groups).map((group) => group.id) : undefined;
    const released = { loadBalancerId: id, loadBalancerType: "nlb", serverGroupIds } as const;
    return {
        instance: { origin: "created", id, address, resource: loadBalancer },
        groups,
        loadBalancer,
        release: createRelease(component, model, released, releaseHooks(cluster)),
        changes: [inZones, ...attached],
    };
}
