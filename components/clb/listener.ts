import { createHash } from "node:crypto";
import * as slb from "@pulumi/alicloud/slb";
import * as pulumi from "@pulumi/pulumi";
import { type ClbListener, clbListenerArguments, type ClbListenerReferences } from "../../provider/clb/listener";
import { areDefaults, clbListenerOptions, OPTION_DEFAULTS } from "../../provider/clb/listener-options";
import type { Adoption } from "../../provider/plan/adoption";
import { type Arg, CertificateCheck, ListenerOptions } from "../../provider/resources";
import type { ListenerInputs } from "../../provider/resources/handlers/clb/listener";
import { ownershipKey } from "../../provider/schema/names";
import { placeArgs } from "../cluster/account";
import { childName, type Component, importOptions } from "../service/component";
import type { InstanceHandle } from "../service/instance";
import type { ListenerBase } from "../service/plan";
import { runFacts } from "../run/run";
import { clbHooks } from "./hooks";

type Attributes = pulumi.Unwrap<slb.ListenerArgs>;

interface ClbListenerBase extends ListenerBase {
    /** The list of the Service's source ranges, where there are any. */
    readonly ownAclId: pulumi.Input<string> | undefined;
}

/**
 * Creates the listeners. Each waits for the backends of its group, to answer only when a backend can. A redirecting
 * listener waits for its target: the cloud creates no redirect to a missing listener, and deletes no target of a
 * redirect.
 */
export function createClbListeners(component: Component, models: readonly ClbListener[], base: ClbListenerBase) {
    const { instance, adoption, owner, references } = base;
    const listeners: Record<string, slb.Listener> = {};
    const options: Record<string, Arg<ListenerInputs>> = {};
    const domains: slb.DomainExtension[] = [];
    const redirects = Object.groupBy(models, ({ forwardTo }) => (forwardTo === undefined ? "no" : "yes"));
    for (const model of [...(redirects.no ?? []), ...(redirects.yes ?? [])]) {
        const { key } = model;
        const target = listeners[model.forwardTo ?? ""];
        const referred = {
            description: owner.apply((known) => ownershipKey(model.port, known)),
            aclIds: accessLists(base, model),
            certId: model.tls === undefined ? undefined : references.certId,
            forwardPort: target?.frontendPort,
        };
        const listener = createListener(component, base, model, referred, target);
        listeners[key] = listener;
        const { description, aclIds, certId } = referred;
        const written = pulumi.all([base.groups[model.serverGroup]?.id, ...aclIds, certId, description]);
        options[key] = optionInputs(component, model, written);
        domains.push(...createDomainExtensions(component, instance, model, listener, adoption));
    }
    return {
        listeners,
        listenerOptions: createListenerOptions(component, instance, models, listeners, options),
        domains,
    };
}

/**
 * Attributes that the plugin's listener must leave to `ListenerOptions`.
 *
 * The plugin can set a health check domain and port, but cannot remove them or set them to the backend's own.
 */
const LEFT_TO_OPTIONS: readonly string[] = ["healthCheckDomain", "healthCheckConnectPort"];

function accessLists({ references, ownAclId }: ClbListenerBase, { access }: ClbListener) {
    if (access.status === "off") return [];
    if (access.aclIds === undefined) return ownAclId === undefined ? [] : [ownAclId];
    return references.aclId === undefined ? access.aclIds : [references.aclId];
}

function createListener(
    component: Component,
    { instance, groups, backends, adoption, dependsOn }: ClbListenerBase,
    model: ClbListener,
    references: ClbListenerReferences<pulumi.Input<string>, pulumi.Input<number>>,
    target: slb.Listener | undefined,
): slb.Listener {
    const { key, serverGroup } = model;
    const serverGroupId = groups[serverGroup]?.id;
    return new slb.Listener(
        childName(component, key),
        {
            loadBalancerId: instance.id,
            serverGroupId,
            ...clbListenerArguments<Attributes, pulumi.Input<string>, pulumi.Input<number>>(model, references),
        },
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
 * Returns what the plugin cannot set of a listener: the options, and that it takes traffic.
 *
 * @param written what the plugin writes besides the model
 */
function optionInputs(component: Component, model: ClbListener, written: pulumi.Output<unknown>): Arg<ListenerInputs> {
    const options = clbListenerOptions(model);
    const checkPort = options["HealthCheckConnectPort"];
    if (checkPort !== undefined) runFacts().checkPorts.set(childName(component, model.key), checkPort);
    return {
        port: model.port,
        protocol: model.protocol,
        options,
        status: "running",
        revision: isRepeated(options) ? revision(model, written) : undefined,
    };
}

/** Sets attributes that the plugin cannot set, for all listeners at once, or returns undefined without a listener. */
function createListenerOptions(
    component: Component,
    instance: InstanceHandle,
    models: readonly ClbListener[],
    listeners: Readonly<Record<string, slb.Listener>>,
    inputs: Readonly<Record<string, Arg<ListenerInputs>>>,
): ListenerOptions | undefined {
    if (models.length === 0) return undefined;
    // Defaults return by themselves, and a record with replaceWith cannot be moved between stacks (pulumi state move
    // does not rewrite it).
    const set = models.flatMap((model) => (areDefaults(clbListenerOptions(model)) ? [] : [listeners[model.key]!]));
    return new ListenerOptions(
        childName(component),
        { loadBalancerId: instance.id, listeners: inputs, ...placeArgs(component.account) },
        {
            parent: component.parent,
            dependsOn: Object.values(listeners),
            deletedWith: instance.resource,
            // A replaced listener keeps its id, so nothing else shows that its options are lost.
            replaceWith: set.length === 0 ? undefined : set,
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
 * Revision that changes whenever the plugin writes the listener: each write repeats the domain it read last, perhaps an
 * old domain.
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
 * Creates the certificates of additional domains of an HTTPS listener, a resource for each domain. They are deleted
 * with the listener, without calls.
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
 * @param certId certificate that replaces the named certificate
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
