import * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { CLUSTER_TAG, defaultLoadBalancerName, markedProtectionReason, OWNER_TAG, PROTECTION_REASON } from "../provider/model/names";
import { LoadBalancerRelease } from "../provider/dynamic";
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

/** The instance. Every attribute that has a documented default is written out, so that console edits show as drift and removed annotations go back. */
export function createLoadBalancer(context: Context, { handle, vswitchId, dependsOn }: InstanceBase): slb.ApplicationLoadBalancer {
    const model = context.desired.loadBalancer;
    const ownerName = handle.uid.apply(defaultLoadBalancerName);
    const reason = model.name === undefined ? PROTECTION_REASON : ownerName.apply(markedProtectionReason);
    return new slb.ApplicationLoadBalancer(
        childName(context),
        {
            loadBalancerName: model.name ?? ownerName,
            addressType: model.addressType,
            vswitchId,
            address: model.address,
            addressIpVersion: model.ipVersion,
            masterZoneId: model.masterZoneId,
            slaveZoneId: model.slaveZoneId,
            resourceGroupId: context.references.resourceGroupId ?? model.resourceGroupId,
            instanceChargeType: model.instanceChargeType,
            loadBalancerSpec: model.spec,
            internetChargeType: model.internetChargeType,
            bandwidth: model.bandwidth,
            deleteProtection: model.deleteProtection,
            modificationProtectionStatus: model.modificationProtection,
            modificationProtectionReason: model.modificationProtection === "ConsoleProtection" ? reason : undefined,
            tags: { ...model.additionalTags, [OWNER_TAG]: ownerName, [CLUSTER_TAG]: context.cluster.facts.clusterId },
        },
        { parent: context.parent, dependsOn: [...dependsOn], ...(model.preserve ? { retainOnDelete: true } : {}), ...hooks(sweepHooks(context.region).loadBalancer) },
    );
}

/** What switches the instance's deletion protection off before the instance goes. */
export function createRelease(context: Context, loadBalancer: slb.ApplicationLoadBalancer): LoadBalancerRelease {
    const preserve = context.desired.loadBalancer.preserve ? { preserve: true } : {};
    return new LoadBalancerRelease(childName(context), { loadBalancerId: loadBalancer.id, ...preserve, ...regionArg(context) }, { parent: context.parent });
}

function hooks(binding: pulumi.ResourceHookBinding | undefined): Pick<pulumi.CustomResourceOptions, "hooks"> {
    return binding === undefined ? {} : { hooks: binding };
}
