import { admitsAll, EVERYONE } from "../../provider/service/source-ranges";
import { SourceSecurityGroup } from "../../provider/resources";
import {
    CLUSTER_TAG,
    defaultLoadBalancerName,
    nlbSecurityGroupName,
    OWNER_TAG,
    securityGroupMark,
} from "../../provider/schema/names";
import type { NlbLoadBalancer } from "../../provider/nlb/load-balancer";
import { childName, type NlbContext, accountArgs } from "../service/context";
import { keptInputs, resourceGroupOf } from "../service/resource-group";
import type { NlbBase } from "./base";
import { defined } from "../../provider/schema/defined";

/**
 * Creates the security group for `spec.loadBalancerSourceRanges`; undefined if everyone may connect. Its rules exist
 * before the load balancer joins it.
 */
export function createSourceSecurityGroup(
    context: NlbContext,
    { handle, vpcId, dependsOn }: NlbBase,
): SourceSecurityGroup | undefined {
    const { sourceRanges, preserve } = context.desired.loadBalancer;
    if (sourceRanges.length === 0) {
        return undefined;
    }
    const ownerName = handle.uid.apply(defaultLoadBalancerName);
    return new SourceSecurityGroup(
        childName(context),
        {
            name: ownerName.apply(nlbSecurityGroupName),
            description: context.owner.apply(securityGroupMark),
            vpcId,
            tags: { [OWNER_TAG]: ownerName, [CLUSTER_TAG]: context.cluster.ids.clusterId },
            rules: sourceRules(context.desired.loadBalancer),
            ...defined({ resourceGroupId: resourceGroupOf(context) }),
            ...(preserve ? { preserve: true } : {}),
            ...accountArgs(context),
        },
        { parent: context.parent, dependsOn: [...dependsOn], ignoreChanges: keptInputs(context) },
    );
}

/** Returns the rules for connections, by source range; empty if everyone may connect. */
export function sourceRules({
    sourceRanges,
    ipVersion,
}: Pick<NlbLoadBalancer, "sourceRanges" | "ipVersion">): Record<string, "accept" | "drop"> {
    if (sourceRanges.length === 0) return {};
    const versions = ipVersion === "DualStack" ? (["ipv4", "ipv6"] as const) : (["ipv4"] as const);
    const restricted = versions.filter((version) => !admitsAll(sourceRanges, version));
    return Object.fromEntries([
        ...sourceRanges.map((range) => [range, "accept"] as const),
        ...restricted.map((version) => [EVERYONE[version], "drop"] as const),
    ]);
}
