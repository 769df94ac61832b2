import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import { childName, type NlbContext } from "../service/context";
import { takeOver } from "../service/take-over";
import { sweepHooks } from "./hooks";
import { defined } from "../../provider/schema/defined";

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
    const hooks = sweepHooks(context.account).other;
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
