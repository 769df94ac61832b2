import * as slb from "@pulumi/alicloud/slb";
import type { ClbServerGroup } from "../../provider/clb/server-group";
import type { Adoption } from "../../provider/plan/adoption";
import { ownershipKey } from "../../provider/schema/names";
import { childName, type Component, importOptions } from "../service/component";
import { createGroups, type GroupHandle, type InstanceHandle, type LoadBalancerBase } from "../service/resources";
import { clbHooks } from "./hooks";

/**
 * Creates the vServer groups, by key. They go with their instance: the cloud deletes them with it, without a call
 * each.
 */
export function createClbServerGroups(
    component: Component,
    models: readonly ClbServerGroup[],
    instance: InstanceHandle,
    base: Pick<LoadBalancerBase, "handle" | "marks">,
    adoption: Adoption | undefined,
): Record<string, GroupHandle<slb.ServerGroup>> {
    return createGroups(
        models,
        base,
        ownershipKey,
        ({ key }, name) =>
            new slb.ServerGroup(
                childName(component, key),
                { loadBalancerId: instance.id, name },
                {
                    parent: component.parent,
                    deletedWith: instance.resource,
                    // Else the plugin would delete a group before its replacement exists, while its listener uses it.
                    deleteBeforeReplace: false,
                    hooks: clbHooks(component.account).serverGroup,
                    ...importOptions(adoption?.serverGroups[key]),
                },
            ),
    );
}
