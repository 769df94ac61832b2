/** Who manages what on a Service's load balancer. */

import { isOwnershipKey, ownerKey, sameService } from "../../provider/model/names";
import type { ObservedListener } from "../../provider/model/observed";
import { describeManager, type InspectedService, managerOf } from "../../provider/inspect/live/model";

/** An object of the load balancer, and whoever manages it. */
export interface ManagedObject {
    readonly object: string;
    readonly managedBy: string;
}

/** The instance, its listeners and the server groups behind them, each with its manager. */
export function managersOf(live: InspectedService): ManagedObject[] {
    const { object, type, cloud, service, bindings } = live;
    if (cloud.kind !== "found") return [];
    const { namespace = "default", name } = object.metadata;
    const mark = ownerKey(type, { namespace, name, clusterId: "any" });
    const own = describeManager(managerOf(object));
    const managerOfMark = (description: string): string => {
        if (sameService(description, mark)) return own;
        return isOwnershipKey(description) ? `another Service (${description})` : "user";
    };
    const { instance } = cloud;
    return [
        {
            object: `load balancer ${instance.id}`,
            managedBy: service?.settings.id === undefined ? own : "user",
        },
        ...instance.listeners.map((listener) => ({
            object: `listener ${listener.protocol}:${listener.port}`,
            managedBy: managerOfMark(listener.description),
        })),
        ...instance.serverGroups
            .filter(({ id }) => instance.listeners.some((listener: ObservedListener) => listener.serverGroupId === id))
            .flatMap(({ id, name: group }) => {
                const managedBy = managerOfMark(group);
                const members = managedBy === own && bindings.length > 0;
                return [
                    { object: `server group ${id}`, managedBy },
                    ...(members ? [{ object: `members of ${id}`, managedBy: "sync controller" }] : []),
                ];
            }),
    ];
}
