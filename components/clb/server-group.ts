import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import type { ClbServerGroup } from "../../provider/clb/server-group";
import type { Adoption } from "../../provider/plan/adoption";
import { ownershipKey } from "../../provider/schema/names";
import { childName, type Component, importOptions } from "../service/component";
import type { GroupHandle, InstanceHandle, LoadBalancerBase } from "../service/resources";
import { clbHooks } from "./hooks";

/**
 * Creates the vServer groups, by key. They go with their instance: the cloud deletes them with it, without a call
 * each.
 */
export function createClbServerGroups(
    component: Component,
    models: readonly ClbServerGroup[],
    instance: InstanceHandle,
    { handle, marks }: Pick<LoadBalancerBase, "handle" | "marks">,
    adoption: Adoption | undefined,
): Record<string, GroupHandle<slb.ServerGroup>> {
    const { parent, account } = component;
    const create = ({ key }: ClbServerGroup, name: pulumi.Output<string>) =>
        new slb.ServerGroup(
            childName(component, key),
            { loadBalancerId: instance.id, name },
            {
                parent,
                deletedWith: instance.resource,
                // Otherwise the plugin would delete a group before its replacement exists, while its listener uses it.
                deleteBeforeReplace: false,
                hooks: clbHooks(account).serverGroup,
                ...importOptions(adoption?.serverGroups[key]),
            },
        );
    return Object.fromEntries(
        models.map((model) => {
            const nodePort = handle.nodePortOf(model);
            const mark = pulumi
                .all([pulumi.output<number | string | undefined>(nodePort ?? model.backendPort), marks.owner])
                .apply(([number, owner]) => ownershipKey(number ?? "", owner));
            const resource = model.joined === undefined ? create(model, mark) : undefined;
            const id = resource?.id ?? pulumi.output(model.joined ?? "");
            return [model.key, { model, id, resource, mark, nodePort }];
        }),
    );
}
