import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import type { NlbLoadBalancer, ObservedNlbLoadBalancer } from "../../provider/nlb/load-balancer";
import type { Adoption } from "../../provider/plan/adoption";
import type { NlbDesired } from "../../provider/plan/desired";
import { PROTECTION_REASON } from "../../provider/schema/names";
import { childName, type Component, importOptions, type Marks, withGroupNote } from "../service/component";
import type { LoadBalancerSpec } from "../service/resources";
import { nlbHooks } from "./hooks";
import type { ZoneArgs } from "./zones";

/** Instance arguments that do not come from settings. */
type NlbInstanceIdentity = Pick<
    nlb.LoadBalancerArgs,
    "vpcId" | "zoneMappings" | "securityGroupIds" | "resourceGroupId"
> & {
    /** Name that follows from the Service. */
    readonly ownerName: pulumi.Input<string>;
    /** Ownership tags. */
    readonly tags: Marks["tags"];
};

/**
 * Instance attributes of the alicloud plugin. Documented defaults are written out: console edits show as drift, and
 * removed annotations return to their defaults.
 */
export function nlbInstanceAttributes(
    model: NlbLoadBalancer | ObservedNlbLoadBalancer,
    { ownerName, tags, ...identity }: NlbInstanceIdentity,
): nlb.LoadBalancerArgs {
    return {
        ...identity,
        loadBalancerName: model.name ?? ownerName,
        addressType: model.addressType,
        addressIpVersion: model.ipVersion,
        ipv6AddressType: model.ipv6AddressType,
        crossZoneEnabled: model.crossZone,
        deletionProtectionEnabled: model.deleteProtection,
        modificationProtectionStatus: model.modificationProtection,
        modificationProtectionReason:
            model.modificationProtection === "ConsoleProtection" ? PROTECTION_REASON : undefined,
        tags: { ...("additionalTags" in model && model.additionalTags), ...tags },
    };
}

/** Creates the instance of a Service, or imports an adopted one. */
export function createNlbInstance(
    component: Component,
    { desired, resourceGroup, allowReplacement, adoption }: LoadBalancerSpec<NlbDesired>,
    identity: Omit<NlbInstanceIdentity, "zoneMappings" | "resourceGroupId">,
    zones: readonly ZoneArgs[],
    dependsOn: pulumi.Resource[],
): nlb.LoadBalancer {
    const zoneMappings = zones.map(({ privateIpv4, ...zone }) => ({ ...zone, privateIpv4Address: privateIpv4 }));
    const { loadBalancer: model } = desired;
    return new nlb.LoadBalancer(
        childName(component),
        nlbInstanceAttributes(model, { ...identity, zoneMappings, resourceGroupId: resourceGroup.id }),
        {
            parent: component.parent,
            dependsOn,
            // A new instance takes name, mark and addresses of the old one.
            deleteBeforeReplace: true,
            // LoadBalancerZones changes the zones of an existing instance. The plugin sees no change inside a zone, and
            // when it adds or removes one, it repeats the addresses of the others as it read them last, perhaps
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
