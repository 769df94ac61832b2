import * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type { ListenerOptions, ServerGroupBackends } from "../../provider/resources";
import type { ClbListener } from "../../provider/model/clb";
import { takeOver } from "../service/take-over";
import { type Context, childName } from "../service/context";
import { createDomainExtensions } from "./domain-extension";
import { sweepHooks } from "./hooks";
import type { InstanceHandle } from "../service/instance";
import { type ListenerReferences, listenerAttributes } from "./listener-attributes";
import { createListenerOptions, LEFT_TO_OPTIONS } from "./listener-options";
import type { ServerGroupHandle } from "./server-group";
import { defined } from "../../provider/schema/defined";

/** A listener, and what is set beside it because the plugin cannot say it. */
export interface ListenerResources {
    readonly resource: slb.Listener;
    readonly options: ListenerOptions;
    readonly domains: readonly slb.DomainExtension[];
}

/** What listeners stand on. */
export interface ListenerBase {
    readonly instance: InstanceHandle;
    readonly groups: Readonly<Record<string, ServerGroupHandle>>;
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    /** The list of the Service's source ranges, where there are any. */
    readonly ownAclId: pulumi.Input<string> | undefined;
    /** Must be there before the first listener is. */
    readonly dependsOn: readonly pulumi.Resource[];
}

/**
 * The listeners, by key. Each waits for the backends of its group, so that it never answers before someone can, and one that redirects waits for its target:
 * the cloud makes no redirect to a listener that is not there, and takes none away that is redirected to.
 */
export function createListeners(context: Context, base: ListenerBase): Record<string, ListenerResources> {
    const made = new Map<string, ListenerResources>();
    const { listeners } = context.desired;
    for (const model of [
        ...listeners.filter((one) => one.forwardTo === undefined),
        ...listeners.filter((one) => one.forwardTo !== undefined),
    ]) {
        made.set(model.key, createListener(context, base, model, made.get(model.forwardTo ?? "")?.resource));
    }
    return Object.fromEntries(listeners.map((model) => [model.key, made.get(model.key) as ListenerResources]));
}

function accessLists(
    { references }: Context,
    { ownAclId }: ListenerBase,
    { access }: ClbListener,
): readonly pulumi.Input<string>[] {
    if (access.status === "off") {
        return [];
    }
    if (access.aclIds === undefined) {
        return ownAclId === undefined ? [] : [ownAclId];
    }
    return references.aclId === undefined ? access.aclIds : [references.aclId];
}

function createListener(
    context: Context,
    base: ListenerBase,
    model: ClbListener,
    target: slb.Listener | undefined,
): ListenerResources {
    const { instance } = base;
    const group = base.groups[model.serverGroup];
    const references: ListenerReferences = {
        aclIds: accessLists(context, base, model),
        certId: model.tls === undefined ? undefined : context.references.certId,
        forwardPort: target?.frontendPort,
    };
    const listener = new slb.Listener(
        childName(context, model.key),
        { loadBalancerId: instance.id, serverGroupId: group?.id, ...listenerAttributes(model, references) },
        { parent: context.parent, deletedWith: instance.resource, ...resourceOptions(context, base, model, target) },
    );
    const options = createListenerOptions(context, instance, model, listener, [
        group?.id,
        ...references.aclIds,
        references.certId,
    ]);
    return { resource: listener, options, domains: createDomainExtensions(context, instance, model, listener) };
}

function resourceOptions(
    context: Context,
    base: ListenerBase,
    model: ClbListener,
    target: slb.Listener | undefined,
): pulumi.CustomResourceOptions {
    const binding = sweepHooks(context.account).listener;
    const members = base.backends[model.serverGroup];
    return {
        // The port is taken until the old listener is gone.
        deleteBeforeReplace: true,
        dependsOn: [
            ...base.dependsOn,
            ...(members === undefined ? [] : [members]),
            ...(target === undefined ? [] : [target]),
        ],
        ...defined({ hooks: binding }),
        ...takeOver(context.adoption?.listeners[model.key]),
        // The plugin gives a redirecting listener a backend port of its own making, and would replace the listener for it.
        ignoreChanges: [
            ...LEFT_TO_OPTIONS,
            ...(target === undefined ? [] : ["backendPort"]),
            ...(context.adoption?.keep[model.key] ?? []),
        ],
    };
}
