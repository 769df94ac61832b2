import * as pulumi from "@pulumi/pulumi";
import { initialGroup } from "../../provider/builder";
import type { AnyContext } from "./context";
import { perRun, resourceHook } from "./run";

/** What holds where the Service states nothing, from the creation of its instance on; nothing where a resource of the program is its group. */
export function initialOf({ service, cluster, references }: AnyContext): Readonly<Record<string, string>> {
    return references.resourceGroupId === undefined ? initialGroup(service.settings, cluster.facts) : {};
}

/** Inputs of a resource that stay as they are once it is there: its resource group, where only the cluster's is asked for. Another group of the cluster is for what is made from then on. */
export function keptInputs({ service, references }: AnyContext): string[] {
    const named = service.settings.resourceGroupId !== undefined || references.resourceGroupId !== undefined;
    return named ? [] : ["resourceGroupId"];
}

/** The hooks of an instance, and one that says, where nobody names a resource group, in which one the instance is made. A cluster does not say its own. */
export function withGroupNote(
    hooks: pulumi.ResourceHookBinding | undefined,
    resourceGroupId: pulumi.Input<string> | undefined,
): pulumi.ResourceHookBinding | undefined {
    if (hooks === undefined || resourceGroupId !== undefined) return hooks;
    return { ...hooks, beforeCreate: [...(hooks.beforeCreate ?? []), defaultGroupHook()] };
}

/** One for all instances, because hook names are global in a run; it speaks of the first one. */
const defaultGroupHook = perRun(() => {
    let said = false;
    return resourceHook(
        "ack-loadbalancer-default-group",
        async () => {
            if (said) return;
            said = true;
            await pulumi.log.info(
                "load balancers are made in the account's default resource group: none is named, and the cluster does not say its own, which the Cloud Controller Manager takes from v2.9.1 on. To choose one, set resourceGroupId of the cluster, or alibaba-cloud-loadbalancer-resource-group-id of a Service; it is fixed once a load balancer is made.",
            );
        },
        { onDryRun: true },
    );
});
