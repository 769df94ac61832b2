import * as pulumi from "@pulumi/pulumi";
import { ServiceStatus } from "../../provider/resources";
import { type AnyContext, childName } from "./context";
import { noteSubject } from "./events";
import { statusHooks } from "./hooks";
import { clusterArgs } from "./identity";
import type { ServiceResources } from "./resources";
import { endTurn } from "./order";
import { defined } from "../../provider/schema/defined";

/** Creates the Service's status as the last resource of the Service. */
export function createStatus(
    context: Pick<AnyContext, "parent" | "name" | "ids" | "cluster" | "independent">,
    { handle, instance, ingress, ready }: ServiceResources,
): ServiceStatus {
    const { parent, ids, cluster } = context;
    const name = childName(context);
    noteSubject(name, pulumi.output({ ...ids, uid: handle.uid, loadBalancerId: instance.id }));
    const status = new ServiceStatus(
        name,
        {
            ...ids,
            uid: handle.uid,
            ...clusterArgs(cluster),
            ingress,
        },
        { parent, dependsOn: [...ready], ...defined({ hooks: statusHooks(cluster) }) },
    );
    endTurn(context, status);
    return status;
}
