import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG, PROTECTION_REASON } from "../../provider/model/names";
import type { NlbLoadBalancer } from "../../provider/model/nlb";
import { LoadBalancerRelease, type ReusedLoadBalancer } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { groupResources } from "../service/backends";
import { accountArgs, childName, type NlbContext, takeOver } from "../service/context";
import { keptInputs, withGroupNote } from "../service/resource-group";
import { type InstanceHandle, protectionsSwitchedOff } from "../service/resources";
import { type Reuse, reuseLoadBalancer } from "../service/reuse";
import type { NlbBase } from "./base";
import { nlbSweepHooks } from "./hooks";
import { createSourceSecurityGroup } from "./security-group";
import { createNlbServerGroups, type NlbServerGroupHandle } from "./server-group";
import { createZones, vswitchOf } from "./zones";

/** What the instance stands on. */
export interface NlbInstanceBase extends NlbBase {
    /** The security group of the source ranges, where there are any. */
    readonly ownSecurityGroupId: pulumi.Input<string> | undefined;
    /** Whether a create-only setting may change this time. */
    readonly replaceable: boolean;
}

/** What of an instance is not in its settings. */
export interface NlbInstanceIdentity {
    /** Name that follows from the Service, and value of its ownership tag. */
    readonly ownerName: pulumi.Input<string>;
    readonly clusterId: string;
    readonly vpcId: pulumi.Input<string>;
    readonly zoneMappings: nlb.LoadBalancerArgs["zoneMappings"];
    readonly securityGroupIds: readonly pulumi.Input<string>[];
    readonly resourceGroupId: pulumi.Input<string> | undefined;
}

/** An instance in the words of the alicloud plugin. Every attribute that has a documented default is written out, so that console edits show as drift and removed annotations go back. */
export function nlbInstanceAttributes(model: NlbLoadBalancer, identity: NlbInstanceIdentity): nlb.LoadBalancerArgs {
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
        tags: { ...model.additionalTags, [OWNER_TAG]: ownerName, [CLUSTER_TAG]: clusterId },
    };
}

/** The instance of a Service. */
export function createNlbLoadBalancer(context: NlbContext, base: NlbInstanceBase): nlb.LoadBalancer {
    const { handle, vpcId, ownSecurityGroupId, dependsOn } = base;
    const { references, adoption } = context;
    const model = context.desired.loadBalancer;
    const binding = withGroupNote(
        nlbSweepHooks(context.account).loadBalancer,
        references.resourceGroupId ?? model.resourceGroupId,
    );
    const taken = takeOver(adoption?.loadBalancerId, adoption?.keep["instance"]);
    const identity = {
        ownerName: handle.uid.apply(defaultLoadBalancerName),
        clusterId: context.cluster.facts.clusterId,
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
        resourceGroupId: references.resourceGroupId ?? model.resourceGroupId,
    };
    return new nlb.LoadBalancer(childName(context), nlbInstanceAttributes(model, identity), {
        parent: context.parent,
        dependsOn: [...dependsOn],
        // A new instance takes name, mark and addresses of the old one.
        deleteBeforeReplace: true,
        ...taken,
        // Zones of a living instance are LoadBalancerZones' to change: the plugin sees none of the changes inside a zone, and where one comes or goes it repeats for
        // the others the addresses that it last saw, which may not be theirs any more. An instance that may be replaced has to know them all.
        ignoreChanges: [
            ...keptInputs(context),
            ...(base.replaceable ? [] : ["zoneMappings"]),
            ...(taken.ignoreChanges ?? []),
        ],
        ...(model.preserve ? { retainOnDelete: true } : {}),
        ...defined({ hooks: binding }),
    });
}

/** Switches the instance's deletion protection off before the instance is deleted, and takes the owner's marks off what stays. */
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
        { parent: context.parent },
    );
}

/** What a Service gets, or uses, before servers and listeners are made. */
export interface NlbResources {
    readonly instance: InstanceHandle;
    readonly groups: Readonly<Record<string, NlbServerGroupHandle>>;
    readonly loadBalancer?: nlb.LoadBalancer;
    readonly release?: LoadBalancerRelease;
    readonly reused?: ReusedLoadBalancer;
    /** What changes the instance, which takes one change at a time and no listener meanwhile. */
    readonly changes: readonly pulumi.Resource[];
}

/**
 * Makes the instance of a Service with its server groups.
 *
 * Groups outlive the instance, whose listeners use them, so that destroying a Service is one delete for the instance and one for each group, as under CCM. Where
 * the instance is to stay, its groups stay with it, and so are made after it.
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

/** Puts a Service on a user-managed instance. Its server groups outlive the use of the instance too: whoever else uses one of them is named before anything is deleted. */
export function reuseInstance(context: NlbContext, base: NlbBase, reuse: pulumi.Output<Reuse>): NlbResources {
    const groups = createNlbServerGroups(context, base, undefined);
    const dependsOn = [...base.dependsOn, ...Object.values(groupResources(groups))];
    const instance = reuseLoadBalancer(context, reuse, { contract: base.contract, dependsOn });
    return { instance, groups, reused: instance.resource, changes: [instance.resource] };
}

/** Lets the public addresses share the bandwidth of a package; undefined where none is named. An attachment of its own, because the plugin would replace the instance for another package. */
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
