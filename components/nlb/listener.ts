import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import { type NlbListener, nlbListenerArguments, nlbListenerMark } from "../../provider/nlb/listener";
import { AdditionalCertificates, NlbCertificateCheck } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { placeArgs } from "../cluster/account";
import { childName, type Component, importOptions } from "../service/component";
import type { ListenerBase } from "../service/plan";
import { nlbHooks } from "./hooks";

type Attributes = pulumi.Unwrap<nlb.ListenerArgs>;

/** Creates the listeners, by key. Each waits for the backends of its group, to answer only when a backend can. */
export function createNlbListeners(
    component: Component,
    listeners: readonly NlbListener[],
    base: ListenerBase,
): Record<string, nlb.Listener> {
    return Object.fromEntries(listeners.map((model) => [model.key, createListener(component, base, model)]));
}

function createListener(
    component: Component,
    { instance, groups, backends, owner, references, adoption, dependsOn }: ListenerBase,
    model: NlbListener,
): nlb.Listener {
    const { key, serverGroup } = model;
    const mark = owner.apply((known) => nlbListenerMark(model, known));
    return new nlb.Listener(
        childName(component, key),
        {
            loadBalancerId: instance.id,
            serverGroupId: groups[serverGroup]?.id ?? "",
            ...nlbListenerArguments<Attributes, pulumi.Input<string>>(model, mark, references.certId),
        },
        {
            parent: component.parent,
            deletedWith: instance.resource,
            // The ports are taken until the old listener is gone.
            deleteBeforeReplace: true,
            dependsOn: [...dependsOn, backends[serverGroup]].filter((one) => one !== undefined),
            hooks: nlbHooks(component.account).listener,
            ...importOptions(adoption?.listeners[key], adoption?.keep[key], ignoredOf(model)),
        },
    );
}

/**
 * Returns the inputs whose changes are ignored. The alicloud plugin cannot empty the list of CA certificates, and the
 * cloud keeps it when clients need none any more: each run would show an update.
 */
const ignoredOf = ({ tls }: NlbListener): string[] =>
    tls !== undefined && tls.caCertId === undefined ? ["caCertificateIds"] : [];

/** Creates the certificates of further domains of TCPSSL listeners. They are deleted with it, without a call each. */
export function createAdditionalCertificates(
    component: Component,
    models: readonly NlbListener[],
    listeners: Readonly<Record<string, nlb.Listener>>,
): AdditionalCertificates[] {
    return models.flatMap(({ key, tls }) => {
        const listener = listeners[key];
        if (listener === undefined || tls === undefined || tls.additionalCertIds.length === 0) return [];
        return new AdditionalCertificates(
            childName(component, key),
            { listenerId: listener.id, certificates: tls.additionalCertIds, ...placeArgs(component.account) },
            { parent: component.parent, deletedWith: listener },
        );
    });
}

/**
 * Checks the certificates of the TCPSSL listeners before they are used. Empty if there is no TCPSSL listener.
 *
 * @param certId certificate that replaces the named certificate
 */
export function checkNlbCertificates(
    component: Component,
    models: readonly NlbListener[],
    certId: pulumi.Input<string> | undefined,
): pulumi.Resource[] {
    const listeners = models.flatMap(({ key, tls }) =>
        tls === undefined
            ? []
            : [[key.replace(/^tcp-/, "tcpssl:"), [certId ?? tls.certId, ...tls.additionalCertIds]] as const],
    );
    if (listeners.length === 0) return [];
    const { account } = placeArgs(component.account);
    return [
        new NlbCertificateCheck(
            childName(component),
            { service: component.subject, listeners: Object.fromEntries(listeners), ...defined({ account }) },
            { parent: component.parent },
        ),
    ];
}
