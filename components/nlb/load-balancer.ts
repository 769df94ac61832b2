import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import { LoadBalancerRelease } from "../../provider/resources";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG, PROTECTION_REASON } from "../../provider/model/names";
import type { NlbLoadBalancer } from "../../provider/model/nlb";
import { takeOver } from "../service/take-over";
import { childName, type NlbContext, accountArgs } from "../service/context";
import { protectionsSwitchedOff } from "../service/release";
import { keptInputs, withGroupNote } from "../service/resource-group";
import type { NlbBase } from "./base";
import { sweepHooks } from "./hooks";
import type { ServerGroupHandle } from "./server-group";
import { vswitchOf } from "./zones";
import { defined } from "../../provider/schema/defined";

/** What the instance stands on. */
export interface InstanceBase extends NlbBase {
    /** The security group of the source ranges, where there are any. */
    readonly ownSecurityGroupId: pulumi.Input<string> | undefined;
    /** Whether a create-only setting may change this time. */
    readonly replaceable: boolean;
}

/** What of an instance is not in its settings. */
export interface InstanceIdentity {
    /** Name that follows from the Service, and value of its ownership tag. */
    readonly ownerName: pulumi.Input<string>;
    readonly clusterId: string;
    readonly vpcId: pulumi.Input<string>;
    readonly zoneMappings: nlb.LoadBalancerArgs["zoneMappings"];
    readonly securityGroupIds: readonly pulumi.Input<string>[];
    readonly resourceGroupId: pulumi.Input<string> | undefined;
}

/** An instance in the words of the alicloud plugin. Every attribute that has a documented default is written out, so that console edits show as drift and removed annotations go back. */
export function nlbInstanceAttributes(model: NlbLoadBalancer, identity: InstanceIdentity): nlb.LoadBalancerArgs {
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
export function createLoadBalancer(context: NlbContext, base: InstanceBase): nlb.LoadBalancer {
    const { handle, vpcId, ownSecurityGroupId, dependsOn } = base;
    const { references, adoption } = context;
    const model = context.desired.loadBalancer;
    const binding = withGroupNote(
        sweepHooks(context.account).loadBalancer,
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
export function createRelease(
    context: NlbContext,
    loadBalancer: nlb.LoadBalancer,
    groups: Readonly<Record<string, ServerGroupHandle>>,
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
