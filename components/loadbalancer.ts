import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { CLUSTER_TAG, defaultLoadBalancerName, markedProtectionReason, OWNER_TAG, PROTECTION_REASON } from "../provider/model/names";
import { LoadBalancerRelease } from "../provider/dynamic";
import type { LoadBalancer } from "../provider/model/loadbalancer";
import { takeOver } from "./adoption/take-over";
import type { ReferenceArgs } from "./args";
import { type Context, childName, regionArg } from "./context";
import { sweepHooks } from "./hooks";
import type { ServiceHandle } from "./service";

/** What the instance stands on. */
export interface InstanceBase {
    readonly handle: ServiceHandle;
    /** Only for an internal instance. */
    readonly vswitchId: pulumi.Input<string> | undefined;
    readonly dependsOn: readonly pulumi.Resource[];
}

/** What the instance is told that is known only with its Service. */
export interface InstanceReferences {
    /** Name that follows from the Service's UID, and mark of its owner. */
    readonly ownerName: pulumi.Input<string>;
    /** Only for an internal instance. */
    readonly vswitchId: pulumi.Input<string> | undefined;
}

/** An instance in the words of the alicloud plugin. Every attribute that has a documented default is written out, so that console edits show as drift and removed annotations go back. */
export function instanceAttributes(
    model: LoadBalancer,
    references: ReferenceArgs,
    clusterId: string,
    { ownerName, vswitchId }: InstanceReferences,
): slb.ApplicationLoadBalancerArgs {
    const marked = typeof ownerName === "string" ? markedProtectionReason(ownerName) : pulumi.output(ownerName).apply(markedProtectionReason);
    const reason = model.name === undefined ? PROTECTION_REASON : marked;
    return {
        loadBalancerName: model.name ?? ownerName,
        addressType: model.addressType,
        vswitchId,
        address: model.address,
        addressIpVersion: model.ipVersion,
        masterZoneId: model.masterZoneId,
        slaveZoneId: model.slaveZoneId,
        resourceGroupId: references.resourceGroupId ?? model.resourceGroupId,
        instanceChargeType: model.instanceChargeType,
        loadBalancerSpec: model.spec,
        internetChargeType: model.internetChargeType,
        bandwidth: model.bandwidth,
        deleteProtection: model.deleteProtection,
        modificationProtectionStatus: model.modificationProtection,
        modificationProtectionReason: model.modificationProtection === "ConsoleProtection" ? reason : undefined,
        tags: { ...model.additionalTags, [OWNER_TAG]: ownerName, [CLUSTER_TAG]: clusterId },
    };
}

/** The instance, made or taken over. */
export function createLoadBalancer(context: Context, { handle, vswitchId, dependsOn }: InstanceBase): slb.ApplicationLoadBalancer {
    const model = context.desired.loadBalancer;
    const ownerName = handle.uid.apply(defaultLoadBalancerName);
    return new slb.ApplicationLoadBalancer(childName(context), instanceAttributes(model, context.references, context.cluster.facts.clusterId, { ownerName, vswitchId }), {
        parent: context.parent,
        dependsOn: [...dependsOn],
        ...(model.preserve ? { retainOnDelete: true } : {}),
        ...hooks(sweepHooks(context.region).loadBalancer),
        ...takeOver(context.adoption?.loadBalancerId, context.adoption?.keep["instance"]),
    });
}

/** What switches the instance's deletion protection off before the instance goes. */
export function createRelease(context: Context, loadBalancer: slb.ApplicationLoadBalancer): LoadBalancerRelease {
    const preserve = context.desired.loadBalancer.preserve ? { preserve: true } : {};
    return new LoadBalancerRelease(childName(context), { loadBalancerId: loadBalancer.id, ...preserve, ...regionArg(context) }, { parent: context.parent });
}

function hooks(binding: pulumi.ResourceHookBinding | undefined): Pick<pulumi.CustomResourceOptions, "hooks"> {
    return binding === undefined ? {} : { hooks: binding };
}
