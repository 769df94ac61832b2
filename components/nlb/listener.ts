import { nlbListenerMark } from "../../provider/nlb/listener";
import * as nlb from "@pulumi/alicloud/nlb";
import type * as pulumi from "@pulumi/pulumi";
import { pluginArguments } from "../../provider/service/annotations";
import type { NlbListener, NlbTls, ProxyProtocol } from "../../provider/nlb/listener";
import { AdditionalCertificates, NlbCertificateCheck, type ServerGroupBackends } from "../../provider/resources";
import { defined } from "../../provider/schema/defined";
import { accountArgs, childName, type NlbContext, takeOver } from "../service/context";
import type { InstanceHandle } from "../service/resources";
import { nlbSweepHooks } from "./hooks";
import type { NlbServerGroupHandle } from "./server-group";

/** Dependencies of the listeners. */
export interface NlbListenerBase {
    readonly instance: InstanceHandle;
    readonly groups: Readonly<Record<string, NlbServerGroupHandle>>;
    readonly backends: Readonly<Record<string, ServerGroupBackends>>;
    /** Must be there before the first listener is. */
    readonly dependsOn: readonly pulumi.Resource[];
}

/** The listeners, by key. Each waits for the backends of its group: it never answers before a backend can. */
export function createNlbListeners(context: NlbContext, base: NlbListenerBase): Record<string, nlb.Listener> {
    return Object.fromEntries(
        context.desired.listeners.map((model) => [model.key, createListener(context, base, model)]),
    );
}

function createListener(context: NlbContext, base: NlbListenerBase, model: NlbListener): nlb.Listener {
    const binding = nlbSweepHooks(context.account).listener;
    const members = base.backends[model.serverGroup];
    const group = base.groups[model.serverGroup];
    return new nlb.Listener(
        childName(context, model.key),
        {
            loadBalancerId: base.instance.id,
            serverGroupId: group?.id ?? "",
            ...nlbListenerAttributes(
                model,
                context.owner.apply((owner) => nlbListenerMark(model, owner)),
                context.references.certId,
            ),
        },
        {
            parent: context.parent,
            deletedWith: base.instance.resource,
            // The ports are taken until the old listener is gone.
            deleteBeforeReplace: true,
            dependsOn: [...base.dependsOn, ...(members === undefined ? [] : [members])],
            ...defined({ hooks: binding }),
            ...takeOver(context.adoption?.listeners[model.key], context.adoption?.keep[model.key]),
        },
    );
}

/** Certificates of further domains of TCPSSL listeners. They go with their listener, without a call each. */
export function createAdditionalCertificates(
    context: NlbContext,
    listeners: Readonly<Record<string, nlb.Listener>>,
): AdditionalCertificates[] {
    return context.desired.listeners.flatMap(({ key, tls }) => {
        const listener = listeners[key];
        if (listener === undefined || tls === undefined || tls.additionalCertIds.length === 0) {
            return [];
        }
        const args = { listenerId: listener.id, certificates: tls.additionalCertIds, ...accountArgs(context) };
        return [
            new AdditionalCertificates(childName(context, key), args, {
                parent: context.parent,
                deletedWith: listener,
            }),
        ];
    });
}

type Attributes = Omit<nlb.ListenerArgs, "loadBalancerId" | "serverGroupId">;

/**
 * Listener attributes of the alicloud plugin. It keeps the cloud's value of an omitted attribute, so all defaults are
 * written out.
 *
 * @param description ownership mark
 * @param certId certificate that takes the place of the model's, known perhaps only once it is made.
 */
export function nlbListenerAttributes(
    model: Omit<NlbListener, "key" | "serverGroup">,
    description: pulumi.Input<string>,
    certId?: pulumi.Input<string>,
): Attributes {
    return {
        ...(model.endPort === undefined
            ? { listenerPort: model.port }
            : { listenerPort: 0, startPort: model.port, endPort: model.endPort }),
        listenerProtocol: model.protocol.toUpperCase(),
        listenerDescription: description,
        // One that was stopped by hand is started again.
        status: "Running",
        ...pluginArguments<pulumi.Unwrap<Attributes>>("nlb", model.attributes),
        proxyProtocolEnabled: model.proxyProtocol !== undefined,
        ...(model.proxyProtocol && { proxyProtocolConfig: proxyAttributes(model.proxyProtocol) }),
        ...(model.tls && tlsAttributes(model.tls, certId)),
    };
}

function proxyAttributes(carried: ProxyProtocol): Attributes["proxyProtocolConfig"] {
    return {
        proxyProtocolConfigVpcIdEnabled: carried.vpcId,
        proxyProtocolConfigPrivateLinkEpIdEnabled: carried.endpointId,
        proxyProtocolConfigPrivateLinkEpsIdEnabled: carried.endpointServiceId,
    };
}

function tlsAttributes(tls: NlbTls, certId: pulumi.Input<string> | undefined): Partial<Attributes> {
    return {
        certificateIds: [certId ?? tls.certId],
        caEnabled: tls.caCertId !== undefined,
        ...(tls.caCertId && { caCertificateIds: [tls.caCertId] }),
        alpnEnabled: tls.alpnPolicy !== undefined,
        ...defined({ alpnPolicy: tls.alpnPolicy }),
    };
}

/**
 * Checks the server certificates of the TCPSSL listeners before they are used. Empty if there is no TCPSSL listener.
 */
export function checkNlbCertificates(context: NlbContext): pulumi.Resource[] {
    const listeners = context.desired.listeners.flatMap(({ key, tls }) =>
        tls === undefined
            ? []
            : [[key.replace(/^tcp-/, "tcpssl:"), [context.references.certId ?? tls.certId, ...tls.additionalCertIds]]],
    );
    if (listeners.length === 0) {
        return [];
    }
    const { region: _, ...account } = accountArgs(context);
    const args = { service: context.subject, listeners: Object.fromEntries(listeners), ...account };
    return [new NlbCertificateCheck(childName(context), args, { parent: context.parent })];
}
