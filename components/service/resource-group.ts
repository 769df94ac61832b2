import * as pulumi from "@pulumi/pulumi";
import { initialGroup } from "../../provider/clb/load-balancer";
import { type ClusterGroup, clusterGroupOf } from "../../provider/service/annotations";
import type { Cluster } from "./cluster";
import type { AnyContext } from "./context";
import { perRun, resourceHook } from "./run";

/** Default resource group from the creation of the instance on; empty if the group is a reference. */
export function initialOf({
    service,
    cluster,
    references,
}: AnyContext): Readonly<Record<string, pulumi.Input<string>>> {
    return references.resourceGroupId === undefined ? initialGroup(service.settings, groupFacts(cluster)) : {};
}

/** Returns the resource group of the instance and its groups: the Service's, else the cluster's. */
export function resourceGroupOf({ service, cluster, references }: AnyContext): pulumi.Input<string> | undefined {
    return references.resourceGroupId ?? service.settings.resourceGroupId ?? clusterGroupOf(groupFacts(cluster));
}

/** Resource group of a cluster, and the version that decides if it applies. */
export const groupFacts = ({ facts, ids }: Cluster): ClusterGroup<pulumi.Input<string>> => ({
    compatibility: facts.compatibility,
    resourceGroupId: ids.resourceGroupId,
});

/** Inputs that never change after creation: a new default group of the cluster applies to new objects only. */
export function keptInputs({ service, references }: AnyContext): string[] {
    const named = service.settings.resourceGroupId !== undefined || references.resourceGroupId !== undefined;
    return named ? [] : ["resourceGroupId"];
}

/** Adds a hook that logs the use of the account's default resource group if none is configured. */
export function withGroupNote(
    hooks: pulumi.ResourceHookBinding | undefined,
    resourceGroupId: pulumi.Input<string> | undefined,
): pulumi.ResourceHookBinding | undefined {
    if (hooks === undefined || resourceGroupId !== undefined) return hooks;
    return { ...hooks, beforeCreate: [...(hooks.beforeCreate ?? []), defaultGroupHook()] };
}

/** Logs for the first instance only; one hook for all, as hook names are global in a run. */
const defaultGroupHook = perRun(() => {
    let said = false;
    return resourceHook(
        "ack-loadbalancer-default-group",
        async () => {
            if (said) return;
            said = true;
            await pulumi.log.info(
                "load balancers are made in the account's default resource group: none is named, " +
                    "and the cluster does not say its own, " +
                    "which the Cloud Controller Manager takes from v2.9.1 on. " +
                    "To choose one, set resourceGroupId of the cluster, " +
                    "or alibaba-cloud-loadbalancer-resource-group-id of a Service; " +
                    "it is fixed once a load balancer is made.",
            );
        },
        { onDryRun: true },
    );
});
