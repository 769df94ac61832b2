/** Status of a Service: the addresses by which it is reached. */
import * as pulumi from "@pulumi/pulumi";
import { type ResourceArgs, ServiceStatus } from "../../provider/resources";
import { clusterArgs } from "../cluster/cluster";
import { endTurn, runFacts } from "../run/run";
import { childName, type Component } from "./component";
import { statusHooks } from "./hooks";
import type { ComponentService, ServiceHandle } from "./service";

/**
 * Creates the Service's status as the last resource of the Service.
 *
 * @param ready resources to wait for
 */
export function createStatus(
    component: Component,
    { ids, cluster, independent }: ComponentService,
    { uid }: ServiceHandle,
    loadBalancerId: pulumi.Output<string>,
    ingress: ResourceArgs<"status">["ingress"],
    ready: pulumi.Resource[],
): ServiceStatus {
    const name = childName(component);
    runFacts().subjects.set(name, pulumi.output({ ...ids, uid, loadBalancerId }));
    const status = new ServiceStatus(
        name,
        { ...ids, uid, ...clusterArgs(cluster), ingress },
        { parent: component.parent, dependsOn: ready, hooks: statusHooks(cluster) },
    );
    endTurn(independent, status);
    return status;
}
