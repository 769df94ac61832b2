/**
 * Listeners of an NLB: type, building, reading and writing. Documented defaults are written out: removing an annotation
 * restores them.
 */
import type { AlpnPolicy, Settings } from "../schema/settings";
import type { AsObserved } from "../schema/observed";
import type { ClusterFacts } from "../schema/facts";
import { defined } from "../schema/defined";
import { type ListenerAddress, portText } from "../schema/listener-address";
import { NLB_PROTOCOLS, type NlbProtocol } from "../schema/protocols";
import { nlbOwnershipKey, type Owner } from "../schema/names";
import type { Service, ServicePort } from "../service/service";
import { nlbGroupKey, protocolOf } from "./server-group";
import { portRangeOf } from "../service/reuse";
import { portKey } from "../clb/server-group";
import { observedAttributes, plainAttributes, pluginArguments } from "../service/annotations";
import * as api from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { batches, listByToken, readList, tokenItems } from "../cloud/http/page";
import { ignoreNotFound } from "../cloud/http/error";
import { change } from "./jobs";

/** Content of Proxy Protocol besides the client's address. */
export interface ProxyProtocol {
    readonly vpcId: boolean;
    readonly endpointId: boolean;
    readonly endpointServiceId: boolean;
}

/** TLS of a TCPSSL listener, which ends at the load balancer. */
export interface NlbTls {
    readonly certId: string;
    /** Certificates of further domains. */
    readonly additionalCertIds: readonly string[];
    /** Certificate authority of clients. If absent, clients need no certificate. */
    readonly caCertId?: string;
    /** Absent = the protocol inside TLS is not negotiated. */
    readonly alpnPolicy?: AlpnPolicy;
}

export interface NlbListener extends ListenerAddress {
    /** `tcp-80` or `udp-53`: Service port and layer-4 family, where TLS runs over TCP. */
    readonly key: string;
    readonly protocol: NlbProtocol;
    /** Key of the server group behind it. */
    readonly serverGroup: string;
    /** Plain attributes: settings, else defaults. */
    readonly attributes: Settings;
    /** Absent = off. */
    readonly proxyProtocol?: ProxyProtocol;
    /** TCPSSL listeners. */
    readonly tls?: NlbTls;
}

export function nlbListenerMark(listener: Pick<NlbListener, "port" | "endPort" | "protocol">, owner: Owner): string {
    return nlbOwnershipKey(portText(listener), listener.protocol, owner);
}

/** Builds the listener of each port, in the order of the manifest. */
export function buildNlbListeners(service: Service, facts: ClusterFacts): NlbListener[] {
    return service.ports.map((port) => buildListener(service, port, facts));
}

function buildListener(service: Service, port: ServicePort, facts: ClusterFacts): NlbListener {
    const { settings } = service;
    const protocol = protocolOf(service, port);
    const ports = portRangeOf(settings, port);
    const proxyProtocol = {
        vpcId: settings.ppv2PvlVpcIdEnabled === "on",
        endpointId: settings.ppv2PvlEpIdEnabled === "on",
        endpointServiceId: settings.ppv2PvlEpsIdEnabled === "on",
    };
    return {
        key: portKey(port),
        protocol,
        ...ports,
        serverGroup: nlbGroupKey(service, port, facts),
        attributes: plainAttributes("nlb", settings, { protocol }),
        ...(settings.proxyProtocol === "on" ? { proxyProtocol } : {}),
        ...(protocol === "tcpssl" ? { tls: buildTls(settings) } : {}),
    };
}

/** Rules have checked certificate, mutual authentication and ALPN. */
function buildTls(settings: Settings): NlbTls {
    const { certId = "", additionalCertIds = [], cacert, cacertId, alpn, alpnPolicy } = settings;
    return {
        certId,
        additionalCertIds: [...new Set(additionalCertIds)].sort(),
        ...(cacert === "on" ? defined({ caCertId: cacertId }) : {}),
        ...(alpn === "on" ? defined({ alpnPolicy }) : {}),
    };
}

/**
 * Returns the arguments of the alicloud plugin for a listener, but for its load balancer and server group. The plugin
 * keeps the cloud's value of an omitted attribute, so all defaults are written out.
 *
 * @typeParam Arguments type of the plugin's arguments
 * @param description ownership mark
 * @param certId certificate that takes the place of the model's, known perhaps only once it is made
 */
export function nlbListenerArguments<Arguments extends object, Id = string>(
    model: Omit<NlbListener, "key" | "serverGroup">,
    description: Id,
    certId?: Id,
) {
    const { port, endPort, proxyProtocol, tls } = model;
    return {
        ...(endPort === undefined ? { listenerPort: port } : { listenerPort: 0, startPort: port, endPort }),
        listenerProtocol: model.protocol.toUpperCase(),
        listenerDescription: description,
        // A listener that was stopped by hand is started again.
        status: "Running",
        ...pluginArguments<Arguments>("nlb", model.attributes),
        proxyProtocolEnabled: proxyProtocol !== undefined,
        proxyProtocolConfig: proxyProtocol && {
            proxyProtocolConfigVpcIdEnabled: proxyProtocol.vpcId,
            proxyProtocolConfigPrivateLinkEpIdEnabled: proxyProtocol.endpointId,
            proxyProtocolConfigPrivateLinkEpsIdEnabled: proxyProtocol.endpointServiceId,
        },
        ...(tls && {
            certificateIds: [certId ?? tls.certId],
            caEnabled: tls.caCertId !== undefined,
            caCertificateIds: tls.caCertId === undefined ? undefined : [tls.caCertId],
            alpnEnabled: tls.alpnPolicy !== undefined,
            alpnPolicy: tls.alpnPolicy,
        }),
    };
}

/** NLB listener as observed. {@link listWholeListeners} reads the certificates of further domains. */
export interface ObservedNlbListener extends AsObserved<NlbListener> {
    readonly kind: "nlb";
    readonly id: string;
    /** `Running`, `Stopped` or a status between them. */
    readonly status?: string;
    /** Largest segment in bytes. If absent, it is not limited. No Service sets it. */
    readonly mss?: number;
    /** No Service sets them. */
    readonly tags: api.Tags;
}

/** Number, where 0 stands for none. */
const positive = api.converted(api.number, (value) => (value === 0 ? undefined : value));

const LISTENER = api.fields({
    id: ["ListenerId", api.requiredText],
    protocol: ["ListenerProtocol", api.literalOf(...NLB_PROTOCOLS)],
    /** 0 for a range. */
    port: ["ListenerPort", api.defaulted(api.number, 0)],
    startPort: ["StartPort", positive],
    endPort: ["EndPort", positive],
    description: ["ListenerDescription", api.defaulted(api.text, "")],
    serverGroupId: ["ServerGroupId", api.text],
    status: ["ListenerStatus", api.text],
    mss: ["Mss", positive],
    tags: ["Tags", api.tagList()],
    proxied: ["ProxyProtocolEnabled", api.flag],
    proxyProtocol: [
        "ProxyProtocolV2Config",
        api.defaulted(
            api.optional(
                api.fields({
                    vpcId: ["Ppv2VpcIdEnabled", api.flag],
                    endpointId: ["Ppv2PrivateLinkEpIdEnabled", api.flag],
                    endpointServiceId: ["Ppv2PrivateLinkEpsIdEnabled", api.flag],
                }),
            ),
            { vpcId: false, endpointId: false, endpointServiceId: false },
        ),
    ],
    certIds: ["CertificateIds", api.textList],
    asksClients: ["CaEnabled", api.flag],
    caCertIds: ["CaCertificateIds", api.textList],
    negotiates: ["AlpnEnabled", api.flag],
    alpnPolicy: ["AlpnPolicy", api.converted(api.text, (policy) => policy as AlpnPolicy | undefined)],
});

/** Returns a listener from an answer, whose attributes have the API's names. */
function observedListener(read: api.Read<typeof LISTENER>, answer: api.Json): ObservedNlbListener {
    const { port, startPort, proxied, proxyProtocol, certIds, asksClients, caCertIds, ...rest } = read;
    const { negotiates, alpnPolicy, ...listener } = rest;
    const tls = defined({
        certId: certIds[0] ?? "",
        additionalCertIds: [],
        caCertId: asksClients ? caCertIds[0] : undefined,
        alpnPolicy: negotiates ? alpnPolicy : undefined,
    });
    return {
        kind: "nlb",
        ...listener,
        port: startPort ?? port,
        attributes: observedAttributes("nlb", answer),
        ...(proxied ? { proxyProtocol } : {}),
        ...(listener.protocol === "tcpssl" ? { tls } : {}),
    };
}

const CERTIFICATE = api.object({ CertificateId: api.requiredText, IsDefault: api.truth });

/** Most certificates in a call. Source: NLB API, AssociateAdditionalCertificatesWithListener. */
const CERTIFICATES_PER_CALL = 15;

/** Returns all listeners of an instance (ListListeners, every page). */
export function listNlbListeners(cloud: Cloud, loadBalancerId: string): Promise<ObservedNlbListener[]> {
    const action = "ListListeners";
    const params = { LoadBalancerIds: [loadBalancerId], MaxResults: 100 };
    return tokenItems(
        action,
        (NextToken) => cloud.call("nlb", action, { ...params, NextToken }),
        (page) => {
            const answers = api.rawItems(page, "Listeners");
            const listeners = readList(action, ["Listeners", LISTENER], page);
            return listeners.map((listener, index) => observedListener(listener, answers[index] ?? {}));
        },
    );
}

/** Returns all listeners of an instance with all certificates, another call for each TLS listener. */
export async function listWholeListeners(cloud: Cloud, loadBalancerId: string): Promise<ObservedNlbListener[]> {
    const listeners = await listNlbListeners(cloud, loadBalancerId);
    return Promise.all(
        listeners.map(async (one) => {
            if (one.tls === undefined) return one;
            const additional = (await listAdditionalCertificates(cloud, one.id)) ?? [];
            return { ...one, tls: { ...one.tls, additionalCertIds: additional.toSorted() } };
        }),
    );
}

/** Deletes a listener, if it exists (DeleteListener). */
export async function deleteNlbListener(cloud: Cloud, id: string): Promise<void> {
    await ignoreNotFound("listener", change(cloud, "DeleteListener", { ListenerId: id }));
}

/** Returns all additional certificates of a listener, or undefined if it does not exist (ListListenerCertificates). */
export async function listAdditionalCertificates(cloud: Cloud, listenerId: string): Promise<string[] | undefined> {
    const params = { ListenerId: listenerId, CertType: "Server", MaxResults: 50 };
    const field = ["Certificates", CERTIFICATE] as const;
    const certificates = listByToken(cloud, "nlb", "ListListenerCertificates", params, field);
    const additional = (await ignoreNotFound("listener", certificates))?.filter(({ IsDefault }) => IsDefault !== true);
    return additional?.map(({ CertificateId }) => CertificateId);
}

/** Adds additional certificates to a listener, 15 a call (AssociateAdditionalCertificatesWithListener). */
export const addCertificates = (cloud: Cloud, listenerId: string, ids: readonly string[]): Promise<void> =>
    changeCertificates(cloud, "AssociateAdditionalCertificatesWithListener", listenerId, ids);

/** Removes additional certificates of a listener, 15 a call (DisassociateAdditionalCertificatesWithListener). */
export const removeCertificates = (cloud: Cloud, listenerId: string, ids: readonly string[]): Promise<void> =>
    changeCertificates(cloud, "DisassociateAdditionalCertificatesWithListener", listenerId, ids);

async function changeCertificates(cloud: Cloud, action: string, ListenerId: string, ids: readonly string[]) {
    for (const AdditionalCertificateIds of batches(ids, CERTIFICATES_PER_CALL))
        await change(cloud, action, { ListenerId, AdditionalCertificateIds });
}
