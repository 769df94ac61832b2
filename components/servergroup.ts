import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { ownershipKey } from "../provider/model/names";
import type { ServerGroup } from "../provider/model/servergroup";
import type { PlacedBackends } from "./backends";
import { type Context, childName, owner } from "./context";
import { sweepHooks } from "./hooks";
import type { ServiceHandle } from "./service";

/** A vServer group in the making: its model, its resource, and what its backends need of it. */
export interface PlacedGroup extends PlacedBackends {
    readonly model: ServerGroup;
    readonly resource: slb.ServerGroup;
}

/** The vServer groups, by key. They go with their instance: the cloud deletes them with it, without a call each. */
export function createServerGroups(context: Context, handle: ServiceHandle, loadBalancer: slb.ApplicationLoadBalancer): Record<string, PlacedGroup> {
    return Object.fromEntries(
        context.desired.serverGroups.map((model) => {
            const [port] = model.ports;
            const nodePort = model.kind === "ecs" && port !== undefined ? handle.nodePort(port) : undefined;
            const mark = pulumi.output<number | string | undefined>(nodePort ?? model.backendPort).apply((number) => ownershipKey(number ?? "", owner(context)));
            const binding = sweepHooks(context.region).serverGroup;
            const resource = new slb.ServerGroup(
                childName(context, model.key),
                { loadBalancerId: loadBalancer.id, name: mark },
                { parent: context.parent, deletedWith: loadBalancer, ...(binding === undefined ? {} : { hooks: binding }) },
            );
            return [model.key, { model, resource, mark, nodePort }];
        }),
    );
}
