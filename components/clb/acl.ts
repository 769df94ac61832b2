import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import type { ClbListener } from "../../provider/clb/listener";
import type { ClbLoadBalancer } from "../../provider/clb/load-balancer";
import { AclCheck, AclEntries } from "../../provider/resources";
import { placeArgs } from "../cluster/account";
import { hooksSupported } from "../service/hooks";
import { childName, type Component, importOptions } from "../service/component";
import type { Marks } from "../service/marks";
import { perRun, resourceHook } from "../run/run";
import { clbHooks } from "./hooks";

interface AclOptions {
    /** Deletes a half-made list. */
    readonly remnant: pulumi.Resource;
    /** The instance, if it stays when the Service is deleted: the list that guards it stays too. */
    readonly deletedWith?: pulumi.Resource;
    /** Id of an existing list to import. */
    readonly adopted?: string;
}

/**
 * Creates the access control list for `spec.loadBalancerSourceRanges`, or returns undefined if everyone may connect. It
 * has the name of the Service, like its instance. Listeners wait for the entries: an empty list lets everyone in.
 */
export function createAcl(
    component: Component,
    { sourceRanges, ipVersion }: Pick<ClbLoadBalancer, "sourceRanges" | "ipVersion">,
    { name, tags, owner }: Marks,
    { remnant, deletedWith, adopted }: AclOptions,
) {
    if (sourceRanges.length === 0) return undefined;
    const { parent, account } = component;
    const acl = new slb.Acl(
        childName(component),
        { name, ipVersion, tags },
        { parent, dependsOn: remnant, deletedWith, hooks: clbHooks(account).acl, ...importOptions(adopted) },
    );
    const remark = owner.apply(({ namespace, name }) => `${namespace}/${name}`);
    const entries = new AclEntries(
        childName(component),
        {
            aclId: acl.id,
            entries: Object.fromEntries(sourceRanges.map((range) => [range, remark])),
            ...placeArgs(account),
        },
        { parent, deletedWith: acl },
    );
    return { acl, entries };
}

/**
 * Checks the access control lists that the listeners name, before they are used. Empty if they name none.
 *
 * @param ipVersion that of the load balancer
 */
export function checkLists(
    component: Component,
    listeners: readonly ClbListener[],
    ipVersion: ClbLoadBalancer["ipVersion"],
): pulumi.Resource[] {
    const lists = new Set(listeners.flatMap(({ access }) => (access.status === "off" ? [] : (access.aclIds ?? []))));
    if (lists.size === 0) return [];
    const hooks = hooksSupported() ? [emptyListHook()] : [];
    return [
        new AclCheck(
            childName(component),
            {
                service: component.subject,
                lists: [...lists].sort(),
                ...(ipVersion === "ipv6" && { ipVersion }),
                ...placeArgs(component.account),
            },
            { parent: component.parent, hooks: { beforeCreate: hooks, beforeUpdate: hooks } },
        ),
    ];
}

/** Hook that reports empty lists, already at preview. All Services share it, because hook names are global in a run. */
const emptyListHook = perRun(() =>
    resourceHook(
        "ack-loadbalancer-empty-lists",
        async ({ name, newInputs }) => {
            const { empty = [] } = (newInputs ?? {}) as { empty?: readonly string[] };
            for (const id of empty)
                await pulumi.log.warn(
                    `Service ${name}: access control list "${id}" has no entries, ` +
                        "and an empty list restricts no client, even as a whitelist. Remedy: add entries to it.",
                );
        },
        { onDryRun: true },
    ),
);
