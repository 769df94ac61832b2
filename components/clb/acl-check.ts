import * as pulumi from "@pulumi/pulumi";
import { AclCheck } from "../../provider/resources";
import { type Context, childName, accountArgs } from "../service/context";
import { hooksSupported } from "../service/hooks";
import { perRun, resourceHook } from "../service/run";

/** Looks at the access control lists that the Service names, before anything is done with them. None, where it names none, or where the program makes the list. */
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

/** The hook that tells, at preview already, which lists are empty; one for all Services, because hook names are global in a run. */
const emptyListHook = perRun(() =>
    resourceHook(
        "ack-loadbalancer-empty-lists",
        async ({ name, newInputs }) => {
            const { empty = [] } = (newInputs ?? {}) as { empty?: readonly string[] };
            for (const id of empty) {
                await pulumi.log.warn(
                    `Service ${name}: access control list "${id}" has no entries, and an empty list restricts no client, even as a whitelist. Remedy: add entries to it.`,
                );
            }
        },
        { onDryRun: true },
    ),
);
