import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import {
    addressIpVersionOf,
    nlbGroupArguments,
    type NlbServerGroup,
    serverGroupOptions,
} from "../../provider/nlb/server-group";
import { groupKeep } from "../../provider/plan/adoption";
import type { NlbDesired } from "../../provider/plan/desired";
import { ServerGroupOptions } from "../../provider/resources";
import { nlbOwnershipKey } from "../../provider/schema/names";
import { placeArgs } from "../cluster/account";
import { childName, type Component, importOptions } from "../service/component";
import { createGroups, type GroupHandle } from "../service/group";
import type { LoadBalancerBase, LoadBalancerSpec } from "../service/plan";
import { nlbHooks } from "./hooks";

/**
 * Creates the server groups, by key. They belong to the VPC, not to the instance.
 *
 * @param deletedWith the instance, if it stays when the Service is deleted: its groups stay too
 */
export function createNlbServerGroups(
    component: Component,
    { desired, resourceGroup, adoption }: LoadBalancerSpec<NlbDesired>,
    base: LoadBalancerBase & { readonly vpcId: pulumi.Input<string> },
    deletedWith?: nlb.LoadBalancer,
): Record<string, GroupHandle<nlb.ServerGroup>> {
    const { marks, vpcId, dependsOn } = base;
    return createGroups(
        desired.serverGroups,
        base,
        (port, owner, { protocol }) => nlbOwnershipKey(port, protocol, owner),
        (model, serverGroupName) => {
            const { key } = model;
            const identity = { serverGroupName, vpcId, resourceGroupId: resourceGroup.id, tags: marks.tags };
            const kept = adoption?.keep[groupKeep(key)];
            const args = { ...identity, ...nlbGroupArguments(model) };
            return new nlb.ServerGroup(childName(component, key), args, {
                parent: component.parent,
                dependsOn: [...dependsOn],
                deletedWith,
                // Without its argument the plugin keeps the IP version that the group has.
                replacementTrigger: addressIpVersionOf(model) ?? "ipv4",
                hooks: nlbHooks(component.account).serverGroup,
                ...importOptions(adoption?.serverGroups[key], kept, resourceGroup.ignoreChanges),
            });
        },
    );
}

/** Sets attributes of the groups that the plugin cannot express. There is no resource where there is nothing to set. */
export function createServerGroupOptions(
    component: Component,
    models: readonly NlbServerGroup[],
    groups: Readonly<Record<string, GroupHandle>>,
): ServerGroupOptions[] {
    return models.flatMap((model) => {
        const group = groups[model.key]?.resource;
        const options = serverGroupOptions(model);
        if (group === undefined || Object.keys(options).length === 0) return [];
        return new ServerGroupOptions(
            childName(component, model.key),
            { serverGroupId: group.id, options, ...placeArgs(component.account) },
            { parent: component.parent, deletedWith: group },
        );
    });
}
