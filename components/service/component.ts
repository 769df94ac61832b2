/** Names, marks, resource group and options that the children of a component have in common. */
import * as pulumi from "@pulumi/pulumi";
import { initialGroup } from "../../provider/clb/load-balancer";
import type { Account } from "../../provider/schema/account";
import { CLUSTER_TAG, defaultLoadBalancerName, type Owner, OWNER_TAG } from "../../provider/schema/names";
import type { Settings } from "../../provider/schema/settings";
import { clusterGroupOf } from "../../provider/service/annotations";
import type { Cluster } from "./cluster";
import type { ServiceIds } from "./read-service";
import { perRun, resourceHook } from "./run";

/** Component whose children are created. */
export interface Component {
    /** Parent of all children. */
    readonly parent: pulumi.ComponentResource;
    /** Prefix of the children's names; unique in the stack, which may have several clusters. */
    readonly name: string;
    /** Name for messages: `namespace/name`, or the component's name if one of them is an Output. */
    readonly subject: string;
    /** Account and region of the load balancer. */
    readonly account: Account;
}

/**
 * Builds the name of a child. The component's name must come first for aliases of the component to work.
 *
 * @param key one of several children of a type
 */
export function childName({ name }: Pick<Component, "name">, key?: string): string {
    return key === undefined ? name : `${name}/${key}`;
}

/** Marks by which the cloud's objects of a Service are recognized. */
export interface Marks {
    readonly owner: pulumi.Output<Owner>;
    /** Default name of the instance, and value of the ownership tag; unknown before the Service exists. */
    readonly name: pulumi.Output<string>;
    /** Ownership tags. */
    readonly tags: Readonly<Record<string, pulumi.Input<string>>>;
}

/** Builds the marks of a Service. */
export function marksOf(ids: ServiceIds, uid: pulumi.Output<string>, clusterId: pulumi.Input<string>): Marks {
    const name = uid.apply(defaultLoadBalancerName);
    return {
        owner: pulumi.output({ ...ids, clusterId }),
        name,
        tags: { [OWNER_TAG]: name, [CLUSTER_TAG]: clusterId },
    };
}

/**
 * Builds options that import an existing resource unchanged.
 *
 * @param id id to import; undefined if the resource is created
 * @param keep inputs of an imported resource whose differences are ignored
 * @param ignored inputs whose changes are ignored in any case
 */
export function importOptions(
    id: string | undefined,
    keep: readonly string[] = [],
    ignored: readonly string[] = [],
): Pick<pulumi.CustomResourceOptions, "import" | "ignoreChanges"> {
    return id === undefined ? { ignoreChanges: [...ignored] } : { import: id, ignoreChanges: [...ignored, ...keep] };
}

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
