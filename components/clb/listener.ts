import { createHash } from "node:crypto";
import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import type { ClbListener } from "../../provider/clb/listener";
import type { Adoption } from "../../provider/plan/adoption";
import { CertificateCheck, ListenerOptions } from "../../provider/resources";
import { ownershipKey } from "../../provider/schema/names";
import { placeArgs } from "../service/account";
import { childName, type Component, importOptions } from "../service/component";
import type { InstanceHandle, ListenerBase } from "../service/resources";
import { runFacts } from "../service/run";
import { clbHooks } from "./hooks";
import { LEFT_TO_OPTIONS, listenerAttributes, OPTION_DEFAULTS, ownListenerOptions } from "./listener-attributes";

/** Listeners of a Service and what belongs to them, by key of the listener. */
interface ListenerResources {
    readonly listeners: Record<string, slb.Listener>;
    /** Attributes that the plugin cannot set. */
    readonly listenerOptions: Record<string, ListenerOptions>;
    readonly domains: slb.DomainExtension[];
}

/** Dependencies of the listeners. */
interface ClbListenerBase extends ListenerBase {
    /** The list of the Service's source ranges, where there are any. */
    readonly ownAclId: pulumi.Input<string> | undefined;
}

/**
 * Creates the listeners. Each waits for the backends of its group, to answer only when a backend can. A redirecting one
 * waits for its target: the cloud creates no redirect to a missing listener, and deletes no target of a redirect.
 */
export function createClbListeners(
    component: Component,
    models: readonly ClbListener[],
    base: ClbListenerBase,
): ListenerResources {
    const { instance, adoption, owner, references } = base;
    const made: ListenerResources = { listeners: {}, listenerOptions: {}, domains: [] };
    const redirects = Object.groupBy(models, ({ forwardTo }) => (forwardTo === undefined ? "no" : "yes"));
    for (const model of [...(redirects.no ?? []), ...(redirects.yes ?? [])]) {
        const { key } = model;
        const target = made.listeners[model.forwardTo ?? ""];
        const referred = {
            description: owner.apply((known) => ownershipKey(model.port, known)),
            aclIds: accessLists(base, model),
            certId: model.tls === undefined ? undefined : references.certId,
            forwardPort: target?.frontendPort,
        };
        const listener = createListener(component, base, model, referred, target);
        made.listeners[key] = listener;
        const { description, aclIds, certId } = referred;
        const written = pulumi.all([base.groups[model.serverGroup]?.id, ...aclIds, certId, description]);
        made.listenerOptions[key] = createListenerOptions(component, instance, model, listener, written);
        made.domains.push(...createDomainExtensions(component, instance, model, listener, adoption));
    }
    return made;
}

function accessLists({ references, ownAclId }: ClbListenerBase, { access }: ClbListener) {
    if (access.status === "off") return [];
    if (access.aclIds === undefined) return ownAclId === undefined ? [] : [ownAclId];
    return references.aclId === undefined ? access.aclIds : [references.aclId];
}

function createListener(
    component: Component,
    { instance, groups, backends, adoption, dependsOn }: ClbListenerBase,
    model: ClbListener,
    references: Parameters<typeof listenerAttributes>[1],
    target: slb.Listener | undefined,
): slb.Listener {
    const { key, serverGroup } = model;
    const serverGroupId = groups[serverGroup]?.id;
    return new slb.Listener(
        childName(component, key),
        { loadBalancerId: instance.id, serverGroupId, ...listenerAttributes(model, references) },
        {
            parent: component.parent,
            deletedWith: instance.resource,
            // The port is taken until the old listener is gone.
            deleteBeforeReplace: true,
            dependsOn: [...dependsOn, backends[serverGroup], target].filter((one) => one !== undefined),
            hooks: clbHooks(component.account).listener,
            ...importOptions(adoption?.listeners[key], adoption?.keep[key], [
                ...LEFT_TO_OPTIONS,
                // The plugin sets a backend port on a redirecting listener, and would replace the listener for it.
                ...(target === undefined ? [] : ["backendPort"]),
            ]),
        },
    );
}

/**
 * Sets what the plugin cannot: the options, and that the listener takes traffic.
 *
 * @param written what the plugin writes besides the model
 */
function createListenerOptions(
    component: Component,
    instance: InstanceHandle,
    model: ClbListener,
    listener: slb.Listener,
    written: pulumi.Output<unknown>,
): ListenerOptions {
    const options = ownListenerOptions(model);
    const name = childName(component, model.key);
    const checkPort = options["HealthCheckConnectPort"];
    if (checkPort !== undefined) runFacts().checkPorts.set(name, checkPort);
    return new ListenerOptions(
        name,
        {
            loadBalancerId: instance.id,
            port: model.port,
            protocol: model.protocol,
            options,
            defaults: OPTION_DEFAULTS,
            status: "running",
            revision: isRepeated(options) ? revision(model, written) : undefined,
            ...placeArgs(component.account),
        },
        {
            parent: component.parent,
            dependsOn: listener,
            deletedWith: listener,
            // A replaced listener keeps its id, so nothing else shows that its options are lost. Defaults return by
            // themselves, and a record with replaceWith cannot be moved between stacks (pulumi state move does not
            // rewrite it).
            replaceWith: Object.entries(options).every(([option, value]) => OPTION_DEFAULTS[option] === value)
                ? undefined
                : [listener],
        },
    );
}

/** True if the plugin may overwrite one of the options with the value it read last. */
function isRepeated({ HealthCheckDomain, HealthCheckConnectPort }: Readonly<Record<string, string>>): boolean {
    const isOwnPort =
        HealthCheckConnectPort === undefined || HealthCheckConnectPort === OPTION_DEFAULTS["HealthCheckConnectPort"];
    return HealthCheckDomain !== undefined || !isOwnPort;
}

/**
 * Revision that changes whenever the plugin writes the listener: each write repeats the domain it read last, perhaps
 * an old one.
 */
function revision(model: ClbListener, written: pulumi.Output<unknown>): pulumi.Output<string> {
    return written.apply((known) =>
        createHash("sha256")
            .update(JSON.stringify([model, known]))
            .digest("hex")
            .slice(0, 12),
    );
}

/**
 * Creates the certificates of additional domains of an HTTPS listener, one resource per domain. They are deleted with
 * the listener, without calls.
 */
function createDomainExtensions(
    component: Component,
    instance: InstanceHandle,
    model: ClbListener,
    listener: slb.Listener,
    adoption: Adoption | undefined,
): slb.DomainExtension[] {
    return (model.tls?.domains ?? []).map(({ domain, certId }) => {
        const key = `${model.key}/${domain}`;
        return new slb.DomainExtension(
            childName(component, key),
            { loadBalancerId: instance.id, frontendPort: model.port, domain, serverCertificateId: certId },
            // A replaced listener keeps its id, so nothing else would tell that its domains are gone.
            {
                parent: component.parent,
                dependsOn: listener,
                deletedWith: listener,
                replaceWith: [listener],
                deleteBeforeReplace: true,
                hooks: clbHooks(component.account).domainExtension,
                ...importOptions(adoption?.domainExtensions[key]),
            },
        );
    });
}

/**
 * Checks the certificates of the HTTPS listeners before they are used. Empty if there is no HTTPS listener.
 *
 * @param certId certificate in place of the named one
 */
export function checkClbCertificates(
    component: Component,
    listeners: readonly ClbListener[],
    certId: pulumi.Input<string> | undefined,
): pulumi.Resource[] {
    const tls = listeners.flatMap((listener) => listener.tls ?? []);
    if (tls.length === 0) return [];
    const named = tls.flatMap(({ certId: own, domains }) => [
        ...(certId === undefined ? [own] : []),
        ...domains.map((domain) => domain.certId),
    ]);
    const certificates = [...(certId === undefined ? [] : [certId]), ...[...new Set(named)].sort()];
    return [
        new CertificateCheck(
            childName(component),
            { service: component.subject, certificates, ...placeArgs(component.account) },
            { parent: component.parent },
        ),
    ];
}
