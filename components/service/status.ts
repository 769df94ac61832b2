import { ServiceStatus } from "../../provider/resources";
import { type AnyContext, childName } from "./context";
import { clusterArgs } from "./identity";
import type { ServiceResources } from "./resources";
import { endTurn } from "./order";

/** Creates the Service's status as the last resource of the Service. */
export function createStatus(
    context: Pick<AnyContext, "parent" | "name" | "ids" | "cluster" | "independent">,
    { handle, ingress, ready }: ServiceResources,
): ServiceStatus {
    const { parent, ids, cluster } = context;
    const status = new ServiceStatus(
        childName(context),
        {
            ...ids,
            uid: handle.uid,
            ...clusterArgs(cluster),
            ingress,
        },
        { parent, dependsOn: [...ready] },
    );
    endTurn(context, status);
    return status;
}
