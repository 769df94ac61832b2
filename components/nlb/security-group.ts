import { SourceSecurityGroup } from "../../provider/resources";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    nlbSecurityGroupName,
    OWNER_TAG,
    securityGroupMark,
} from "../../provider/model/names";
import { childName, type NlbContext, owner, accountArgs } from "../service/context";
import { keptInputs } from "../service/resource-group";
import type { NlbBase } from "./base";

/** A security group of our own for `spec.loadBalancerSourceRanges`; undefined where everyone may connect. Its rules are there before the load balancer joins it. */
export function createSecurityGroup(
    context: NlbContext,
    { handle, vpcId, dependsOn }: NlbBase,
): SourceSecurityGroup | undefined {
    const { sourceRanges, preserve, ipVersion, resourceGroupId } = context.desired.loadBalancer;
    if (sourceRanges.length === 0) {
        return undefined;
    }
    const ownerName = handle.uid.apply(defaultLoadBalancerName);
    const group = context.references.resourceGroupId ?? resourceGroupId;
    const others = ipVersion === "DualStack" ? ["0.0.0.0/0", "::/0"] : ["0.0.0.0/0"];
    return new SourceSecurityGroup(
        childName(context),
        {
            name: ownerName.apply(nlbSecurityGroupName),
            description: securityGroupMark(owner(context)),
            vpcId,
            tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: context.cluster.facts.clusterId },
            rules: Object.fromEntries([
                ...sourceRanges.map((range) => [range, "accept"] as const),
                ...others.map((range) => [range, "drop"] as const),
            ]),
            ...(group === undefined ? {} : { resourceGroupId: group }),
            ...(preserve ? { preserve: true } : {}),
            ...accountArgs(context),
        },
        { parent: context.parent, dependsOn: [...dependsOn], ignoreChanges: keptInputs(context) },
    );
}
