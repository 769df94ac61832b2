import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG, PROTECTION_REASON } from "../../provider/schema/names";
import type { NlbLoadBalancer, ObservedNlbLoadBalancer } from "../../provider/nlb/load-balancer";
import { LoadBalancerRelease, type ReusedLoadBalancer } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { groupResources } from "../service/backends";
import { accountArgs, childName, type NlbContext, takeOver } from "../service/context";
import { keptInputs, resourceGroupOf, withGroupNote } from "../service/resource-group";
import { type InstanceHandle, protectionsSwitchedOff } from "../service/resources";
import { type Reuse, reuseLoadBalancer } from "../service/reuse";
import type { NlbBase } from "./base";
import { releaseHooks } from "../service/hooks";
import { nlbSweepHooks } from "./hooks";
import { createSourceSecurityGroup } from "./security-group";
import { createNlbServerGroups, type NlbServerGroupHandle } from "./server-group";
import { createZones, vswitchOf } from "./zones";

/** Dependencies of the instance. */
export interface NlbInstanceBase extends NlbBase {
    /** The security group of the source ranges, where there are any. */
    readonly ownSecurityGroupId: pulumi.Input<string> | undefined;
    /** True if this run may change a create-only setting. */
    readonly replaceable: boolean;
}

/** Instance arguments that do not come from settings. */
export interface NlbInstanceIdentity {
    /** Name that follows from the Service, and value of its ownership tag. */
    readonly ownerName: pulumi.Input<string>;
    readonly clusterId: pulumi.Input<string>;
    readonly vpcId: pulumi.Input<string>;
    readonly zoneMappings: nlb.LoadBalancerArgs["zoneMappings"];
    readonly securityGroupIds: readonly pulumi.Input<string>[];
    readonly resourceGroupId: pulumi.Input<string> | undefined;
}

/**
 * Instance attributes of the alicloud plugin. Documented defaults are written out: console edits show as drift, and
 * removed annotations return to their defaults.
 */
export function nlbInstanceAttributes(
    model: NlbLoadBalancer | ObservedNlbLoadBalancer,
    identity: NlbInstanceIdentity,
): nlb.LoadBalancerArgs {
    const { ownerName, clusterId, vpcId, zoneMappings, securityGroupIds, resourceGroupId } = identity;
    return {
        loadBalancerName: model.name ?? ownerName,
        vpcId,
        addressType: model.addressType,
        addressIpVersion: model.ipVersion,
        ipv6AddressType: model.ipv6AddressType,
        zoneMappings,
        crossZoneEnabled: model.crossZone,
        securityGroupIds: [...securityGroupIds],
        resourceGroupId,
        deletionProtectionEnabled: model.deleteProtection,
        modificationProtectionStatus: model.modificationProtection,
        ...(model.modificationProtection === "ConsoleProtection"
            ? { modificationProtectionReason: PROTECTION_REASON }
            : {}),
        tags: {
            ...("additionalTags" in model && model.additionalTags),
            [OWNER_TAG]: ownerName,
            [CLUSTER_TAG]: clusterId,
        },
    };
}

/** The instance of a Service. */
export function createNlbLoadBalancer(context: NlbContext, base: NlbInstanceBase): nlb.LoadBalancer {
    const { handle, vpcId, ownSecurityGroupId, dependsOn } = base;
    const { references, adoption } = context;
    const model = context.desired.loadBalancer;
    const resourceGroupId = resourceGroupOf(context);
    const binding = withGroupNote(nlbSweepHooks(context.account).loadBalancer, resourceGroupId);
    const taken = takeOver(adoption?.loadBalancerId, adoption?.keep["instance"]);
    const identity = {
        ownerName: handle.uid.apply(defaultLoadBalancerName),
        clusterId: context.cluster.ids.clusterId,
        vpcId,
        zoneMappings: model.zones.map(({ zoneId, vswitchId, privateIpv4, allocationId }) => ({
            zoneId,
            vswitchId: vswitchOf(context, { zoneId, vswitchId }),
            ...defined({ privateIpv4Address: privateIpv4, allocationId }),
        })),
        securityGroupIds: [
            ...(references.securityGroupIds ?? model.securityGroupIds),
            ...(ownSecurityGroupId === undefined ? [] : [ownSecurityGroupId]),
        ],
        resourceGroupId,
    };
    return new nlb.LoadBalancer(childName(context), nlbInstanceAttributes(model, identity), {
        parent: context.parent,
        dependsOn: [...dependsOn],
        // A new instance takes name, mark and addresses of the old one.
        deleteBeforeReplace: true,
        ...taken,
        // LoadBalancerZones changes the zones of an existing instance. The plugin sees no change inside a zone, and
        // when it adds or removes one, it repeats the addresses of the others as it read them last, perhaps outdated.
        // An instance that may be replaced needs all zones.
        ignoreChanges: [
            ...keptInputs(context),
            ...(base.replaceable ? [] : ["zoneMappings"]),
            ...(taken.ignoreChanges ?? []),
        ],
        ...(model.preserve ? { retainOnDelete: true } : {}),
        ...defined({ hooks: binding }),
    });
}

/** Before the instance is deleted, switches its deletion protection off; removes the ownership marks of what stays. */
export function createNlbRelease(
    context: NlbContext,
    loadBalancer: nlb.LoadBalancer,
    groups: Readonly<Record<string, NlbServerGroupHandle>>,
): LoadBalancerRelease {
    const kept = context.desired.loadBalancer.preserve
        ? { preserve: true, serverGroupIds: Object.values(groups).map(({ id }) => id) }
        : {};
    const switchesOff = protectionsSwitchedOff(context.desired.loadBalancer);
    return new LoadBalancerRelease(
        childName(context),
        { loadBalancerId: loadBalancer.id, loadBalancerType: "nlb", ...kept, switchesOff, ...accountArgs(context) },
        { parent: context.parent, ...defined({ hooks: releaseHooks(context.cluster) }) },
    );
}

/** Resources of a Service that exist before backends and listeners. */
export interface NlbResources {
    readonly instance: InstanceHandle;
    readonly groups: Readonly<Record<string, NlbServerGroupHandle>>;
    readonly loadBalancer?: nlb.LoadBalancer;
    readonly release?: LoadBalancerRelease;
    readonly reused?: ReusedLoadBalancer;
    /** Resources that change the instance. It takes one change at a time, and no listener meanwhile. */
    readonly changes: readonly pulumi.Resource[];
}

/**
 * Makes the instance of a Service with its server groups.
 *
 * Groups outlive the instance, whose listeners use them: destroying a Service takes one delete for the instance and
 * one per group, as under CCM. Groups of a preserved instance stay with it, and are created after it.
 *
 * @param replaceable whether a new instance may take the place of the one that is there.
 */
export function createNlbInstance(context: NlbContext, base: NlbBase, replaceable: boolean): NlbResources {
    const early = context.desired.loadBalancer.preserve ? undefined : createNlbServerGroups(context, base, undefined);
    const securityGroup = createSourceSecurityGroup(context, base);
    const loadBalancer = createNlbLoadBalancer(context, {
        ...base,
        // One that is taken over is known before the run, and what is imported must be known then.
        ownSecurityGroupId:
            securityGroup === undefined ? undefined : (context.adoption?.securityGroupId ?? securityGroup.id),
        replaceable,
        dependsOn: [...base.dependsOn, ...Object.values(groupResources(early ?? {}))],
    });
    const groups = early ?? createNlbServerGroups(context, base, loadBalancer);
    const release = createNlbRelease(context, loadBalancer, groups);
    // An instance takes one change at a time, and no listener meanwhile.
    const inZones = createZones(context, loadBalancer);
    const bandwidth = attachBandwidthPackage(context, loadBalancer, inZones);
    return {
        instance: { origin: "created", id: loadBalancer.id, address: loadBalancer.dnsName, resource: loadBalancer },
        groups,
        loadBalancer,
        release,
        changes: [inZones, ...(bandwidth === undefined ? [] : [bandwidth])],
    };
}

/**
 * Puts a Service on a user-managed instance. Its server groups are deleted last: other users of a group are reported
 * before anything is deleted.
 */
export function reuseInstance(context: NlbContext, base: NlbBase, reuse: pulumi.Output<Reuse>): NlbResources {
    const groups = createNlbServerGroups(context, base, undefined);
    const dependsOn = [...base.dependsOn, ...Object.values(groupResources(groups))];
    const instance = reuseLoadBalancer(context, reuse, { contract: base.contract, dependsOn });
    return { instance, groups, reused: instance.resource, changes: [instance.resource] };
}

/**
 * Attaches the public addresses to an Internet Shared Bandwidth package; undefined if none is named. A separate
 * resource, because the plugin would replace the instance to change the package.
 */
export function attachBandwidthPackage(
    context: NlbContext,
    loadBalancer: nlb.LoadBalancer,
    after: pulumi.Resource,
): nlb.LoadbalancerCommonBandwidthPackageAttachment | undefined {
    const bandwidthPackageId = context.references.bandwidthPackageId ?? context.desired.loadBalancer.bandwidthPackageId;
    if (bandwidthPackageId === undefined) {
        return undefined;
    }
    const hooks = nlbSweepHooks(context.account).other;
    const { adoption } = context;
    const taken = adoption?.bandwidthPackageId;
    return new nlb.LoadbalancerCommonBandwidthPackageAttachment(
        childName(context),
        { loadBalancerId: loadBalancer.id, bandwidthPackageId },
        // An instance can be in one package only.
        {
            parent: context.parent,
            dependsOn: after,
            deletedWith: loadBalancer,
            deleteBeforeReplace: true,
            ...takeOver(taken === undefined ? undefined : `${adoption?.loadBalancerId}:${taken}`),
            ...defined({ hooks }),
        },
    );
}
