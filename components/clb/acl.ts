import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { CLUSTER_TAG, defaultLoadBalancerName, OWNER_TAG } from "../../provider/schema/names";
import { AclCheck, AclEntries } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { accountArgs, childName, type Context, takeOver } from "../service/context";
import { hooksSupported } from "../service/hooks";
import { perRun, resourceHook } from "../service/run";
import type { ServiceHandle } from "../service/service";
import { sweepHooks } from "./hooks";

/** The access control list of a Service's source ranges. */
export interface AclResources {
    readonly acl: slb.Acl;
    /** Listeners wait for them: an empty list lets everyone in. */
    readonly entries: AclEntries;
}

/**
 * Creates the access control list for `spec.loadBalancerSourceRanges`; undefined if everyone may connect. It has the
 * name of the Service, like its instance.
 *
 * @param keptWith the instance, if it stays when the Service is deleted: the list that guards it stays too.
 */
export function createAcl(
    context: Context,
    handle: ServiceHandle,
    keptWith: pulumi.Resource | undefined,
): AclResources | undefined {
    const { sourceRanges, ipVersion } = context.desired.loadBalancer;
    if (sourceRanges.length === 0) {
        return undefined;
    }
    const name = handle.uid.apply(defaultLoadBalancerName);
    const binding = sweepHooks(context.account).acl;
    const acl = new slb.Acl(
        childName(context),
        { name, ipVersion, tags: { [OWNER_TAG]: name, [CLUSTER_TAG]: context.cluster.ids.clusterId } },
        {
            parent: context.parent,
            ...defined({ deletedWith: keptWith, hooks: binding }),
            ...takeOver(context.adoption?.aclId),
        },
    );
    const remark = context.owner.apply(({ namespace, name }) => `${namespace}/${name}`);
    const entries = new AclEntries(
        childName(context),
        {
            aclId: acl.id,
            entries: Object.fromEntries(sourceRanges.map((range) => [range, remark])),
            ...accountArgs(context),
        },
        { parent: context.parent, deletedWith: acl },
    );
    return { acl, entries };
}

/**
 * Checks the access control lists that the Service names, before they are used. Empty if the Service names none, or
 * if the program creates the list.
 */
export function checkLists(context: Context): pulumi.Resource[] {
    const lists = new Set(
        context.desired.listeners.flatMap(({ access }) => (access.status === "off" ? [] : (access.aclIds ?? []))),
    );
    if (lists.size === 0 || context.references.aclId !== undefined) {
        return [];
    }
    const hooks = hooksSupported() ? [emptyListHook()] : [];
    return [
        new AclCheck(
            childName(context),
            { service: context.subject, lists: [...lists].sort(), ...accountArgs(context) },
            {
                parent: context.parent,
                ...(hooks.length === 0 ? {} : { hooks: { beforeCreate: hooks, beforeUpdate: hooks } }),
            },
        ),
    ];
}

/** Hook that reports empty lists, already at preview. One for all Services, because hook names are global in a run. */
const emptyListHook = perRun(() =>
    resourceHook(
        "ack-loadbalancer-empty-lists",
        async ({ name, newInputs }) => {
            const { empty = [] } = (newInputs ?? {}) as { empty?: readonly string[] };
            for (const id of empty) {
                await pulumi.log.warn(
                    `Service ${name}: access control list "${id}" has no entries, ` +
                        "and an empty list restricts no client, even as a whitelist. Remedy: add entries to it.",
                );
            }
        },
        { onDryRun: true },
    ),
);
