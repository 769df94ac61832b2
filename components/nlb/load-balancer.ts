import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import type { NlbLoadBalancer, ObservedNlbLoadBalancer } from "../../provider/nlb/load-balancer";
import type { Adoption } from "../../provider/plan/adoption";
import { LoadBalancerRelease } from "../../provider/resources";
import { CLUSTER_TAG, OWNER_TAG, PROTECTION_REASON } from "../../provider/schema/names";
import { placeArgs } from "../service/account";
import { childName, type Component, importOptions, type ResourceGroup, withGroupNote } from "../service/component";
import { type GroupHandle, protectionsSwitchedOff } from "../service/resources";
import { nlbHooks } from "./hooks";
import type { ZoneArgs } from "./zones";

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

/** Dependencies of an instance. */
export interface NlbInstanceBase {
    readonly identity: Pick<NlbInstanceIdentity, "ownerName" | "clusterId" | "vpcId" | "securityGroupIds">;
    readonly zones: readonly ZoneArgs[];
    readonly resourceGroup: ResourceGroup;
    /** True if this run may change a create-only setting. */
    readonly replaceable: boolean;
    readonly adoption: Adoption | undefined;
    readonly dependsOn: readonly pulumi.Resource[];
}

/** Creates the instance of a Service, or imports an adopted one. */
export function createNlbInstance(
    component: Component,
    model: NlbLoadBalancer,
    { identity, zones, resourceGroup, replaceable, adoption, dependsOn }: NlbInstanceBase,
): nlb.LoadBalancer {
    const zoneMappings = zones.map(({ zoneId, vswitchId, privateIpv4, allocationId }) => ({
        zoneId,
        vswitchId,
        privateIpv4Address: privateIpv4,
        allocationId,
    }));
    return new nlb.LoadBalancer(
        childName(component),
        nlbInstanceAttributes(model, { ...identity, zoneMappings, resourceGroupId: resourceGroup.id }),
        {
            parent: component.parent,
            dependsOn: [...dependsOn],
            // A new instance takes name, mark and addresses of the old one.
            deleteBeforeReplace: true,
            // LoadBalancerZones changes the zones of an existing instance. The plugin sees no change inside a zone, and
            // when it adds or removes one, it repeats the addresses of the others as it read them last, perhaps
            // outdated. An instance that may be replaced needs all zones.
            ...importOptions(adoption?.loadBalancerId, adoption?.keep["instance"], [
                ...resourceGroup.ignoreChanges,
                ...(replaceable ? [] : ["zoneMappings"]),
            ]),
            retainOnDelete: model.preserve || undefined,
            hooks: withGroupNote(nlbHooks(component.account).loadBalancer, resourceGroup),
        },
    );
}

/**
 * Before the instance is deleted, switches its deletion protection off; removes the ownership marks of what stays.
 *
 * @param groups of the instance
 */
export function createNlbRelease(
    component: Component,
    model: NlbLoadBalancer,
    loadBalancer: nlb.LoadBalancer,
    groups: Readonly<Record<string, GroupHandle>>,
    hooks: pulumi.ResourceHookBinding | undefined,
): LoadBalancerRelease {
    return new LoadBalancerRelease(
        childName(component),
        {
            loadBalancerId: loadBalancer.id,
            loadBalancerType: "nlb",
            ...(model.preserve ? { preserve: true, serverGroupIds: Object.values(groups).map(({ id }) => id) } : {}),
            switchesOff: protectionsSwitchedOff(model),
            ...placeArgs(component.account),
        },
        { parent: component.parent, hooks },
    );
}

/**
 * Attaches the public addresses to an Internet Shared Bandwidth package. A separate resource, because the plugin would
 * replace the instance to change the package.
 */
export function attachBandwidthPackage(
    component: Component,
    loadBalancer: nlb.LoadBalancer,
    bandwidthPackageId: pulumi.Input<string>,
    { adoption, after }: { readonly adoption: Adoption | undefined; readonly after: pulumi.Resource },
): nlb.LoadbalancerCommonBandwidthPackageAttachment {
    const taken = adoption?.bandwidthPackageId;
    return new nlb.LoadbalancerCommonBandwidthPackageAttachment(
        childName(component),
        { loadBalancerId: loadBalancer.id, bandwidthPackageId },
        {
            parent: component.parent,
            dependsOn: after,
            deletedWith: loadBalancer,
            // An instance can be in one package only.
            deleteBeforeReplace: true,
            hooks: nlbHooks(component.account).other,
            ...importOptions(taken === undefined ? undefined : `${adoption?.loadBalancerId}:${taken}`),
        },
    );
}
