import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { ownershipKey } from "../../provider/schema/names";
import type { ClbServerGroup } from "../../provider/clb/server-group";
import { childName, type Context, takeOver } from "../service/context";
import type { BackendsResources, InstanceHandle } from "../service/resources";
import { sweepHooks } from "./hooks";
import type { ServiceHandle } from "../service/service";
import { defined } from "../../provider/schema/defined";

/** A vServer group in the making: its model, and what its backends need of it. */
export interface ServerGroupHandle extends BackendsResources {
    readonly model: ClbServerGroup;
    readonly resource: slb.ServerGroup | undefined;
}

/** The vServer groups, by key. They go with their instance: the cloud deletes them with it, without a call each. */
export function createServerGroups(
    context: Context,
    handle: ServiceHandle,
    instance: InstanceHandle,
): Record<string, ServerGroupHandle> {
    return Object.fromEntries(
        context.desired.serverGroups.map((model) => {
            const [port] = model.ports;
            const nodePort = model.kind === "ecs" && port !== undefined ? handle.nodePort(port) : undefined;
            const mark = pulumi
                .all([pulumi.output<number | string | undefined>(nodePort ?? model.backendPort), context.owner])
                .apply(([number, owner]) => ownershipKey(number ?? "", owner));
            const resource = model.joined === undefined ? createServerGroup(context, instance, model, mark) : undefined;
            return [
                model.key,
                { model, id: resource?.id ?? pulumi.output(model.joined ?? ""), resource, mark, nodePort },
            ];
        }),
    );
}

function createServerGroup(
    context: Context,
    instance: InstanceHandle,
    model: ClbServerGroup,
    name: pulumi.Output<string>,
): slb.ServerGroup {
    const binding = sweepHooks(context.account).serverGroup;
    return new slb.ServerGroup(
        childName(context, model.key),
        { loadBalancerId: instance.id, name },
        // Without this, the plugin would delete a group before its replacement exists, while its listener still uses
        // it.
        {
            parent: context.parent,
            deletedWith: instance.resource,
            deleteBeforeReplace: false,
            ...defined({ hooks: binding }),
            ...takeOver(context.adoption?.serverGroups[model.key]),
        },
    );
}
