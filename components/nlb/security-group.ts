import type * as pulumi from "@pulumi/pulumi";
import type { NlbLoadBalancer } from "../../provider/nlb/load-balancer";
import { SourceSecurityGroup } from "../../provider/resources";
import { nlbSecurityGroupName, securityGroupMark } from "../../provider/schema/names";
import { admitsAll, EVERYONE } from "../../provider/service/source-ranges";
import { placeArgs } from "../service/account";
import { childName, type Component, type ResourceGroup } from "../service/component";
import type { LoadBalancerBase } from "../service/resources";

/**
 * Creates the security group for `spec.loadBalancerSourceRanges`; undefined if everyone may connect. Its rules exist
 * before the load balancer joins it.
 */
export function createSecurityGroup(
    component: Component,
    model: NlbLoadBalancer,
    { marks: { name, tags, owner }, dependsOn }: Pick<LoadBalancerBase, "marks" | "dependsOn">,
    vpcId: pulumi.Input<string>,
    resourceGroup: ResourceGroup,
): SourceSecurityGroup | undefined {
    if (model.sourceRanges.length === 0) return undefined;
    return new SourceSecurityGroup(
        childName(component),
        {
            name: name.apply(nlbSecurityGroupName),
            description: owner.apply(securityGroupMark),
            vpcId,
            tags,
            rules: sourceRules(model),
            resourceGroupId: resourceGroup.id,
            ...(model.preserve ? { preserve: true } : {}),
            ...placeArgs(component.account),
        },
        { parent: component.parent, dependsOn: [...dependsOn], ignoreChanges: [...resourceGroup.ignoreChanges] },
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
