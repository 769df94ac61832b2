import * as nlb from "@pulumi/alicloud/nlb";
import * as pulumi from "@pulumi/pulumi";
import { nlbAddressType, nlbImmutableFields, nlbInstanceArguments, sourceRules } from "../../provider/nlb";
import type { Adoption } from "../../provider/plan/adoption";
import type { NlbDesired } from "../../provider/plan/desired";
import { LoadBalancerZones, SourceSecurityGroup, ZoneCheck } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { nlbSecurityGroupName, securityGroupMark } from "../../provider/schema/names";
import type { ZoneMap } from "../../provider/schema/settings";
import { placeArgs } from "../cluster/account";
import { releaseHooks } from "../service/hooks";
import { childName, type Component, importOptions } from "../service/component";
import { type GroupHandle, groupResources } from "../service/group";
import { createRemnant, type InstanceResources, releaseInputs } from "../service/instance";
import type { LoadBalancerBase, LoadBalancerPlan, LoadBalancerResources, LoadBalancerSpec } from "../service/plan";
import { withGroupNote } from "../service/resource-group";
import { createReusedInstance } from "../service/reuse";
import { nlbHooks } from "./hooks";
import { checkNlbCertificates, createAdditionalCertificates, createNlbListeners } from "./listener";
import { createNlbServerGroups, createServerGroupOptions } from "./server-group";

type NlbSpec = LoadBalancerSpec<NlbDesired>;

/** Zone of an NLB, whose vSwitch may be known only once it is made. */
interface ZoneArgs extends Omit<ZoneMap, "vswitchId"> {
    readonly vswitchId: pulumi.Input<string>;
}

/** Also has the VPC of the server groups, and the zones that the Service names. */
interface NlbBase extends LoadBalancerBase {
    readonly vpcId: pulumi.Output<string>;
    readonly zones: readonly ZoneArgs[];
}

/** Plans the NLB of a Service, or the use of an existing NLB. */
export function planNlb(component: Component, spec: NlbSpec): LoadBalancerPlan {
    const { service, desired, cluster, references, adoption, reuse, resourceGroup } = spec;
    const model = desired.loadBalancer;
    const zones = model.zoneMaps.map((zone): ZoneArgs => {
        return { ...zone, vswitchId: references.zoneVswitches?.[zone.zoneId] ?? zone.vswitchId };
    });
    // A preview dry-runs the creation of the instance.
    const isNew = reuse === undefined && adoption === undefined && pulumi.runtime.isDryRun();
    const found = reuse?.apply((one) => one.found?.vpcId ?? "");
    const { name, addressType, ipVersion: addressIpVersion } = model;
    const named = defined({ name, resourceGroupId: resourceGroup.id });
    // Checks the vSwitches before anything is created, and finds their VPC.
    const check =
        reuse !== undefined && zones.length === 0
            ? undefined
            : new ZoneCheck(
                  childName(component),
                  {
                      service: component.subject,
                      vswitches: Object.fromEntries(zones.map(({ zoneId, vswitchId }) => [zoneId, vswitchId])),
                      vpcId: found ?? cluster.ids.vpcId,
                      request: isNew
                          ? { ...named, addressType: nlbAddressType(addressType), addressIpVersion, zones: [...zones] }
                          : undefined,
                      ...placeArgs(component.account),
                  },
                  { parent: component.parent },
              );
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
            return create(component, spec, { ...base, dependsOn: [...base.dependsOn, ...looks], vpcId, zones });
        },
    };
}

/** Creates instance, server groups with their backends, and listeners. */
function create(component: Component, spec: NlbSpec, base: NlbBase): LoadBalancerResources {
    const { desired, references, adoption } = spec;
    const checked = checkNlbCertificates(component, desired.listeners, references.certId);
    const dependsOn = [...base.dependsOn, ...checked];
    const { groups, changes, ...made } = createInstance(component, spec, { ...base, dependsOn });
    const { instance, reused } = made;
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
        ingress: [{ hostname: instance.address }],
        others: [...bindings, ...certificates],
    };
}

/**
 * Creates the instance, or the use of a reused instance, with its server groups.
 *
 * Groups outlive the instance, whose listeners use them: destroying a Service takes a delete for the instance and for
 * each group, as under CCM. Groups of a preserved instance stay with it, and are created after it. Groups on a reused
 * instance are deleted last: other users of a group are reported before anything is deleted.
 */
function createInstance(
    component: Component,
    spec: NlbSpec,
    base: NlbBase,
): InstanceResources & {
    readonly groups: Readonly<Record<string, GroupHandle<nlb.ServerGroup>>>;
    /** Resources that change the instance, which takes one change at a time, and no listener meanwhile. */
    readonly changes: readonly pulumi.Resource[];
} {
    const { service, desired, references, adoption, reuse } = spec;
    const model = desired.loadBalancer;
    const { vpcId, zones } = base;
    const { name: owner } = base.marks;
    const loadBalancerName = model.name ?? owner;
    const remnant = createRemnant(
        component,
        model,
        { loadBalancerType: "nlb", owner, name: reuse === undefined ? loadBalancerName : undefined },
        base.dependsOn,
    );
    const groupBase = { ...base, dependsOn: [...base.dependsOn, remnant] };
    const createGroups = (deletedWith?: nlb.LoadBalancer) =>
        createNlbServerGroups(component, spec, groupBase, deletedWith);
    const early = reuse === undefined && model.preserve ? undefined : createGroups();
    const dependsOn = [...groupBase.dependsOn, ...Object.values(groupResources(early ?? {}))];
    if (reuse !== undefined) {
        const made = createReusedInstance(component, service, reuse, { ...base, dependsOn });
        return { ...made, groups: early ?? {}, changes: [made.reused] };
    }
    const sources = createSecurityGroup(component, spec, base, remnant);
    // A group that is taken over is known before the run, and an imported group must be known then.
    const ownSecurityGroup = sources === undefined ? [] : [adoption?.securityGroupId ?? sources.id];
    const securityGroupIds = [...(references.securityGroupIds ?? model.securityGroupIds), ...ownSecurityGroup];
    const identity = { loadBalancerName, vpcId, securityGroupIds };
    const after = { ...base, dependsOn: [...dependsOn, ...(sources === undefined ? [] : [sources])] };
    const loadBalancer = createNlbInstance(component, spec, after, identity, remnant);
    const groups = early ?? createGroups(loadBalancer);
    // An adoption that allows other zones keeps the existing zones until the first run without it.
    const inZones = createZones(component, spec, adoption?.zones ?? zones, loadBalancer, groups);
    const packageId = references.bandwidthPackageId ?? model.bandwidthPackageId;
    const attached =
        packageId === undefined ? [] : [attachBandwidthPackage(component, loadBalancer, packageId, adoption, inZones)];
    const { id, dnsName: address } = loadBalancer;
    return {
        instance: { origin: "created", id, address, resource: loadBalancer },
        groups,
        loadBalancer,
        release: inZones,
        changes: [inZones, ...attached],
    };
}

/** Creates the instance of a Service, or imports an adopted instance. */
function createNlbInstance(
    component: Component,
    { desired: { loadBalancer: model }, resourceGroup, allowReplacement, adoption }: NlbSpec,
    { marks: { tags }, zones, dependsOn }: NlbBase,
    identity: Pick<nlb.LoadBalancerArgs, "loadBalancerName" | "vpcId" | "securityGroupIds">,
    remnant: pulumi.Resource,
): nlb.LoadBalancer {
    const zoneMappings = zones.map(({ privateIpv4, ...zone }) => ({ ...zone, privateIpv4Address: privateIpv4 }));
    return new nlb.LoadBalancer(
        childName(component),
        { ...identity, ...nlbInstanceArguments(model, tags), zoneMappings, resourceGroupId: resourceGroup.id },
        {
            parent: component.parent,
            dependsOn: [...dependsOn],
            deletedWith: remnant,
            // A new instance takes name, mark and addresses of the old instance.
            deleteBeforeReplace: true,
            // LoadBalancerZones changes the zones of an existing instance. The plugin sees no change inside a zone, and
            // when it adds or removes a zone, it repeats the addresses of the others as it read them last, perhaps
            // outdated. An instance that may be replaced needs all zones.
            ...importOptions(adoption?.loadBalancerId, adoption?.keep["instance"], [
                ...resourceGroup.ignoreChanges,
                ...(allowReplacement.length > 0 ? [] : ["zoneMappings"]),
            ]),
            retainOnDelete: model.preserve || undefined,
            hooks: withGroupNote(nlbHooks(component.account).loadBalancer, resourceGroup),
        },
    );
}

/**
 * Attaches the public addresses to an Internet Shared Bandwidth package. A separate resource, because the plugin would
 * replace the instance to change the package.
 */
function attachBandwidthPackage(
    component: Component,
    loadBalancer: nlb.LoadBalancer,
    bandwidthPackageId: pulumi.Input<string>,
    adoption: Adoption | undefined,
    dependsOn: pulumi.Resource,
): nlb.LoadbalancerCommonBandwidthPackageAttachment {
    const taken = adoption?.bandwidthPackageId;
    return new nlb.LoadbalancerCommonBandwidthPackageAttachment(
        childName(component),
        { loadBalancerId: loadBalancer.id, bandwidthPackageId },
        {
            parent: component.parent,
            dependsOn,
            deletedWith: loadBalancer,
            // An instance can be in one package only.
            deleteBeforeReplace: true,
            hooks: nlbHooks(component.account).other,
            ...importOptions(taken === undefined ? undefined : `${adoption?.loadBalancerId}:${taken}`),
        },
    );
}

/** Manages the zones of a living instance, what changes inside them, and its release. */
function createZones(
    component: Component,
    { desired: { loadBalancer: model }, cluster }: NlbSpec,
    zones: readonly ZoneArgs[],
    loadBalancer: nlb.LoadBalancer,
    groups: Readonly<Record<string, GroupHandle>>,
): LoadBalancerZones {
    return new LoadBalancerZones(
        childName(component),
        {
            loadBalancerId: loadBalancer.id,
            addressType: nlbAddressType(model.addressType),
            zones: Object.fromEntries(zones.map(({ zoneId, ...place }) => [zoneId, place])),
            ...(pulumi.runtime.isDryRun() ? { preview: true } : {}),
            ...releaseInputs(model),
            serverGroupIds: model.preserve ? Object.values(groups).map((group) => group.id) : undefined,
            ...placeArgs(component.account),
        },
        { parent: component.parent, hooks: releaseHooks(cluster) },
    );
}

/**
 * Creates the security group for `spec.loadBalancerSourceRanges`, or returns undefined if everyone may connect. Its
 * rules exist before the load balancer joins it.
 */
function createSecurityGroup(
    component: Component,
    { desired: { loadBalancer: model }, resourceGroup }: NlbSpec,
    { marks: { name, tags, owner }, dependsOn, vpcId }: NlbBase,
    remnant: pulumi.Resource,
): SourceSecurityGroup | undefined {
    if (model.sourceRanges.length === 0) return undefined;
    return new SourceSecurityGroup(
        childName(component),
        {
            name: name.apply(nlbSecurityGroupName),
            description: owner.apply(securityGroupMark),
            vpcId,
            tags,
            rules: sourceRules(model),
            resourceGroupId: resourceGroup.id,
            ...(model.preserve ? { preserve: true } : {}),
            ...placeArgs(component.account),
        },
        {
            parent: component.parent,
            dependsOn: [...dependsOn, remnant],
            // A half-made instance may be in it, which the remnant deletes first.
            deletedWith: remnant,
            ignoreChanges: [...resourceGroup.ignoreChanges],
        },
    );
}
