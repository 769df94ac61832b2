/** Resource group of a load balancer and its server groups. */
import * as pulumi from "@pulumi/pulumi";
import { initialGroup } from "../../provider/clb/load-balancer";
import type { Settings } from "../../provider/schema/settings";
import { clusterGroupOf } from "../../provider/service/annotations";
import type { Cluster } from "../cluster/cluster";
import { perRun, resourceHook } from "../run/run";

export interface ResourceGroup {
    /** The named group, else the cluster's. */
    readonly id: pulumi.Input<string> | undefined;
    /** Default for the contract, from the creation of the instance on, empty if a group is named. */
    readonly initial: Readonly<Record<string, pulumi.Input<string>>>;
    /** Inputs fixed at creation. A new default group of the cluster applies to new objects only. */
    readonly ignoreChanges: readonly string[];
}

/** Returns the resource group for settings, or for a reference given by the program instead of the setting. */
export function resourceGroupOf(
    { facts, ids }: Cluster,
    settings: Settings,
    reference?: pulumi.Input<string>,
): ResourceGroup {
    const ofCluster = { compatibility: facts.compatibility, resourceGroupId: ids.resourceGroupId };
    const named = reference ?? settings.resourceGroupId;
    return {
        id: named ?? clusterGroupOf(ofCluster),
        initial: reference === undefined ? initialGroup(settings, ofCluster) : {},
        ignoreChanges: named === undefined ? ["resourceGroupId"] : [],
    };
}

/** Adds a hook if no group is configured. It logs the use of the account's default resource group. */
export function withGroupNote(
    hooks: pulumi.ResourceHookBinding | undefined,
    { id }: ResourceGroup,
): pulumi.ResourceHookBinding | undefined {
    if (hooks === undefined || id !== undefined) return hooks;
    return { ...hooks, beforeCreate: [...(hooks.beforeCreate ?? []), defaultGroupHook()] };
}

/** Logs for the first instance only. All instances share the hook, as hook names are global in a run. */
const defaultGroupHook = perRun(() => {
    let said = false;
    return resourceHook(
        "ack-loadbalancer-default-group",
        async () => {
            if (said) return;
            said = true;
            await pulumi.log.info(
                "load balancers are created in the account's default resource group: none is named, " +
                    "and that of the cluster, which the Cloud Controller Manager takes from v2.9.1 on, cannot be " +
                    "detected. " +
                    "To choose one, set resourceGroupId of the cluster, " +
                    "or alibaba-cloud-loadbalancer-resource-group-id of a Service; " +
                    "it is fixed once a load balancer exists.",
            );
        },
        { onDryRun: true },
    );
});
