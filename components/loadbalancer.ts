import * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { CLUSTER_TAG, defaultLoadBalancerName, markedProtectionReason, OWNER_TAG, PROTECTION_REASON } from "../provider/model/names";
import { LoadBalancerRelease } from "../provider/dynamic";
import { type Context, childName, regionArg } from "./context";
import { sweepHooks } from "./hooks";
import type { ServiceHandle } from "./service";

/** The instance. Every attribute that has a documented default is written out, so that console edits show as drift and removed annotations go back. */
export function createLoadBalancer(context: Context, handle: ServiceHandle, dependsOn: pulumi.Resource): slb.ApplicationLoadBalancer {
    const model = context.desired.loadBalancer;
    const ownerName = handle.uid.apply(defaultLoadBalancerName);
    const reason = model.name === undefined ? PROTECTION_REASON : ownerName.apply(markedProtectionReason);
    return new slb.ApplicationLoadBalancer(
        childName(context),
        {
            loadBalancerName: model.name ?? ownerName,
            addressType: model.addressType,
            vswitchId: context.references.vswitchId ?? model.vswitchId,
            instanceChargeType: model.instanceChargeType,
            loadBalancerSpec: model.spec,
            internetChargeType: model.internetChargeType,
            bandwidth: model.bandwidth,
            deleteProtection: model.deleteProtection,
            modificationProtectionStatus: model.modificationProtection,
            modificationProtectionReason: model.modificationProtection === "ConsoleProtection" ? reason : undefined,
            tags: { ...model.additionalTags, [OWNER_TAG]: ownerName, [CLUSTER_TAG]: context.cluster.facts.clusterId },
        },
        { parent: context.parent, dependsOn, ...hooks(sweepHooks(context.region).loadBalancer) },
    );
}

/** What switches the instance's deletion protection off before the instance goes. */
export function createRelease(context: Context, loadBalancer: slb.ApplicationLoadBalancer): LoadBalancerRelease {
    return new LoadBalancerRelease(childName(context), { loadBalancerId: loadBalancer.id, ...regionArg(context) }, { parent: context.parent });
}

function hooks(binding: pulumi.ResourceHookBinding | undefined): Pick<pulumi.CustomResourceOptions, "hooks"> {
    return binding === undefined ? {} : { hooks: binding };
}
