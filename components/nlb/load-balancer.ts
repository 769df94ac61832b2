import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import { LoadBalancerRelease } from "../../provider/resources";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG, PROTECTION_REASON } from "../../provider/model/names";
import { childName, type NlbContext, accountArgs } from "../service/context";
import { protectionsSwitchedOff } from "../service/release";
import { keptInputs } from "../service/resource-group";
import type { NlbBase } from "./base";
import { sweepHooks } from "./hooks";
import type { ServerGroupHandle } from "./server-group";
import { vswitchOf } from "./zones";

/** What the instance stands on. */
export interface InstanceBase extends NlbBase {
    /** The security group of the source ranges, where there are any. */
    readonly ownSecurityGroupId: pulumi.Input<string> | undefined;
    /** Whether a create-only setting may change this time. */
    readonly replaceable: boolean;
}

/** The instance. Every attribute that has a documented default is written out, so that console edits show as drift and removed annotations go back. */
export function createLoadBalancer(context: NlbContext, base: InstanceBase): nlb.LoadBalancer {
    const { handle, vpcId, ownSecurityGroupId, dependsOn } = base;
    const model = context.desired.loadBalancer;
    const ownerName = handle.uid.apply(defaultLoadBalancerName);
    const protects = model.modificationProtection === "ConsoleProtection";
    const binding = sweepHooks(context.account).loadBalancer;
    return new nlb.LoadBalancer(
        childName(context),
        {
            loadBalancerName: model.name ?? ownerName,
            vpcId,
            addressType: model.addressType,
            addressIpVersion: model.ipVersion,
            ipv6AddressType: model.ipv6AddressType,
            zoneMappings: model.zones.map(({ zoneId, vswitchId, privateIpv4, allocationId }) => ({
                zoneId,
                vswitchId: vswitchOf(context, { zoneId, vswitchId }),
                ...(privateIpv4 === undefined ? {} : { privateIpv4Address: privateIpv4 }),
                ...(allocationId === undefined ? {} : { allocationId }),
            })),
            crossZoneEnabled: model.crossZone,
            securityGroupIds: [
                ...(context.references.securityGroupIds ?? model.securityGroupIds),
                ...(ownSecurityGroupId === undefined ? [] : [ownSecurityGroupId]),
            ],
            resourceGroupId: context.references.resourceGroupId ?? model.resourceGroupId,
            deletionProtectionEnabled: model.deleteProtection,
            modificationProtectionStatus: model.modificationProtection,
            ...(protects ? { modificationProtectionReason: PROTECTION_REASON } : {}),
            tags: { ...model.additionalTags, [OWNER_TAG]: ownerName, [CLUSTER_TAG]: context.cluster.facts.clusterId },
        },
        {
            parent: context.parent,
            dependsOn: [...dependsOn],
            // A new instance takes name, mark and addresses of the old one.
            deleteBeforeReplace: true,
            // Zones of a living instance are LoadBalancerZones' to change: the plugin sees none of the changes inside a zone, and where one comes or goes it repeats for
            // the others the addresses that it last saw, which may not be theirs any more. An instance that may be replaced has to know them all.
            ignoreChanges: [...keptInputs(context), ...(base.replaceable ? [] : ["zoneMappings"])],
            ...(model.preserve ? { retainOnDelete: true } : {}),
            ...(binding === undefined ? {} : { hooks: binding }),
        },
    );
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
