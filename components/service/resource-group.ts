import * as pulumi from "@pulumi/pulumi";
import { initialGroup } from "../../provider/clb/load-balancer";
import type { Settings } from "../../provider/schema/settings";
import { clusterGroupOf } from "../../provider/service/annotations";
import type { Cluster } from "./cluster";
import { perRun, resourceHook } from "./run";

/** Resource group of an instance and its server groups. */
export interface ResourceGroup {
    /** The named group, else the cluster's. */
    readonly id: pulumi.Input<string> | undefined;
    /** Default for the contract, from the creation of the instance on; empty if a group is named. */
    readonly initial: Readonly<Record<string, pulumi.Input<string>>>;
    /** Inputs that never change after creation: a new default group of the cluster applies to new objects only. */
    readonly ignoreChanges: readonly string[];
}

/** Returns the resource group for settings, or for a reference of the program in place of the setting. */
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

/** Adds a hook that logs the use of the account's default resource group if none is configured. */
export function withGroupNote(
    hooks: pulumi.ResourceHookBinding | undefined,
    { id }: ResourceGroup,
): pulumi.ResourceHookBinding | undefined {
    if (hooks === undefined || id !== undefined) return hooks;
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
