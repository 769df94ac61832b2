import * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import type { ClbListener } from "../../provider/clb/listener";
import { CertificateCheck, type ListenerOptions, type ServerGroupBackends } from "../../provider/resources";
import { ownershipKey } from "../../provider/schema/names";
import { defined } from "../../provider/schema/defined";
import { accountArgs, childName, type Context, takeOver } from "../service/context";
import type { InstanceHandle } from "../service/resources";
import { sweepHooks } from "./hooks";
import { listenerAttributes, type ListenerReferences } from "./listener-attributes";
import { createListenerOptions, LEFT_TO_OPTIONS } from "./listener-options";
import type { ServerGroupHandle } from "./server-group";

/** Listener with its attributes that the plugin cannot set. */
export interface ListenerResources {
    readonly resource: slb.Listener;
    readonly options: ListenerOptions;
    readonly domains: readonly slb.DomainExtension[];
}

/** Dependencies of the listeners. */
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
 * Creates the listeners, by key. Each waits for the backends of its group, to answer only when a backend can. A
 * redirecting one waits for its target: the cloud creates no redirect to a missing listener, and deletes no target of
 * a redirect.
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
        description: context.owner.apply((owner) => ownershipKey(model.port, owner)),
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
        references.description,
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
        // The plugin sets a backend port on a redirecting listener, and would replace the listener for it.
        ignoreChanges: [
            ...LEFT_TO_OPTIONS,
            ...(target === undefined ? [] : ["backendPort"]),
            ...(context.adoption?.keep[model.key] ?? []),
        ],
    };
}

/**
 * Certificates of additional domains of an HTTPS listener, one resource per domain. They are deleted with the
 * listener, without calls.
 */
export function createDomainExtensions(
    context: Context,
    instance: InstanceHandle,
    model: ClbListener,
    listener: slb.Listener,
): slb.DomainExtension[] {
    const hooks = sweepHooks(context.account).domainExtension;
    return (model.tls?.domains ?? []).map(
        ({ domain, certId }) =>
            new slb.DomainExtension(
                childName(context, `${model.key}/${domain}`),
                { loadBalancerId: instance.id, frontendPort: model.port, domain, serverCertificateId: certId },
                // A replaced listener keeps its id, so nothing else would tell that its domains are gone.
                {
                    parent: context.parent,
                    dependsOn: listener,
                    deletedWith: listener,
                    replaceWith: [listener],
                    deleteBeforeReplace: true,
                    hooks,
                    ...takeOver(context.adoption?.domainExtensions[`${model.key}/${domain}`]),
                },
            ),
    );
}

/** Checks the certificates of the HTTPS listeners before they are used. Empty if there is no HTTPS listener. */
export function checkCertificates(context: Context): pulumi.Resource[] {
    const tls = context.desired.listeners.flatMap((listener) => (listener.tls === undefined ? [] : [listener.tls]));
    const named = new Set(
        tls.flatMap(({ certId, domains }) => [
            ...(context.references.certId === undefined ? [certId] : []),
            ...domains.map((domain) => domain.certId),
        ]),
    );
    const certificates = [
        ...(tls.length > 0 && context.references.certId !== undefined ? [context.references.certId] : []),
        ...[...named].sort(),
    ];
    if (certificates.length === 0) {
        return [];
    }
    return [
        new CertificateCheck(
            childName(context),
            { service: context.subject, certificates, ...accountArgs(context) },
            { parent: context.parent },
        ),
    ];
}
