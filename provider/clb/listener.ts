/**
 * Listeners of a CLB, built from a Service, read from the cloud and changed there. Documented defaults are written out,
 * so removing an annotation restores them.
 */
import type { AsObserved, ObservedDomainExtension, ObservedListener } from "../schema/observed";
import { CLB_PROTOCOLS, type ClbProtocol, clbProtocol, isLayer4, listenerProtocolOf } from "../schema/protocols";
import type { ClusterFacts } from "../schema/facts";
import { defined } from "../schema/defined";
import type { DomainExtension, Settings } from "../schema/settings";
import type { Service, ServicePort } from "../service/service";
import { buildClbHealthCheck, type ClbHealthCheck, observedClbHealthCheck } from "./health-check";
import { clbGroupKey, portKey } from "./server-group";
import { buildStickySession, observedSession, stickyArguments, type StickySession } from "./sticky-session";
import { observedAttributes, plainAttributes, pluginArguments, settled } from "../service/annotations";
import { sourceRanges } from "./load-balancer";
import * as api from "../cloud/http/answer";
import type { Cloud } from "../cloud/http/cloud";
import { ignoreNotFound } from "../cloud/http/error";
import { listByToken } from "../cloud/http/page";

/** Clients admitted by a listener. `aclIds` is undefined for the managed list of the Service's source ranges. */
export type AccessControl =
    | { readonly status: "off" }
    | { readonly status: "on"; readonly type: "white" | "black"; readonly aclIds: readonly string[] | undefined };

/** Certificates of an HTTPS listener. */
export interface Tls {
    readonly certId: string;
    /** Certificates of further domains. */
    readonly domains: readonly DomainExtension[];
}

export interface ClbListener {
    /** Layer-4 family and port, as in `tcp-80` or `udp-53`. The cloud keeps the two unique on an instance. */
    readonly key: string;
    readonly port: number;
    readonly protocol: ClbProtocol;
    /** Key of the {@link ServerGroup} behind it. */
    readonly serverGroup: string;
    readonly scheduler: string;
    readonly access: AccessControl;
    readonly healthCheck: ClbHealthCheck;
    /** Plain attributes from settings, else from defaults. Empty for a redirecting listener. */
    readonly attributes: Settings;
    /** Seconds left to connections to a removed backend of a TCP or UDP listener. If absent, they are cut. */
    readonly drainTimeout?: number;
    /** Present on HTTP and HTTPS listeners unless they redirect. */
    readonly stickySession?: StickySession;
    /** Present on HTTPS listeners. */
    readonly tls?: Tls;
    /** Key of the HTTPS listener to which this HTTP listener redirects. */
    readonly forwardTo?: string;
}

/** Builds the listener of each port, in the order of the manifest. */
export function buildClbListeners(service: Service, facts: ClusterFacts): ClbListener[] {
    return service.ports.map((port) => buildListener(service, port, facts));
}

function buildListener(service: Service, port: ServicePort, facts: ClusterFacts): ClbListener {
    const { settings } = service;
    const protocol = clbProtocol(listenerProtocolOf(port, settings));
    const target =
        protocol === "http" ? settings.forwardPort?.find((entry) => entry.http === port.port)?.https : undefined;
    return {
        key: portKey(port),
        port: port.port,
        protocol,
        serverGroup: clbGroupKey(service, port, facts),
        scheduler: settled(settings, "scheduler", "clb"),
        access: buildAccess(service),
        ...(target === undefined ? serving(settings, protocol) : redirecting(target)),
    };
}

/** An access control list named by annotation has priority over the Service's source ranges. */
function buildAccess(service: Service): AccessControl {
    const { aclStatus, aclId, aclType } = service.settings;
    if (aclStatus === "on" && aclId !== undefined)
        return { status: "on", type: aclType ?? "white", aclIds: [...new Set(aclId.split(","))] };
    const restricted = sourceRanges(service).length > 0;
    return restricted ? { status: "on", type: "white", aclIds: undefined } : { status: "off" };
}

const redirecting = (port: number): Pick<ClbListener, "healthCheck" | "attributes" | "forwardTo"> => ({
    healthCheck: { enabled: false, type: "http", timeout: settled({}, "healthCheckTimeout", "clb") },
    attributes: {},
    forwardTo: portKey({ port, protocol: "TCP" }),
});

/** Relies on rules to refuse an HTTPS listener without a certificate. */
function serving(
    settings: Settings,
    protocol: ClbProtocol,
): Pick<ClbListener, "healthCheck" | "attributes" | "drainTimeout" | "stickySession" | "tls"> {
    const healthCheck = buildClbHealthCheck(settings, protocol);
    const { connectionDrain, connectionDrainTimeout, certId = "", domainExtensions: domains = [] } = settings;
    if (isLayer4({ protocol }))
        return {
            healthCheck,
            attributes: plainAttributes("clb", settings, { protocol, check: healthCheck.type }),
            ...(connectionDrain === "on" ? defined({ drainTimeout: connectionDrainTimeout }) : {}),
        };
    const check = healthCheck.enabled ? healthCheck.type : undefined;
    return {
        healthCheck,
        attributes: plainAttributes("clb", settings, { protocol, ...defined({ check }) }),
        stickySession: buildStickySession(settings),
        ...(protocol === "https" ? { tls: { certId, domains } } : {}),
    };
}

/**
 * Names of attributes in answers, by their names in requests, if the two differ. Source: SLB API,
 * DescribeLoadBalancerTCPListenerAttribute.
 */
const REPORTED_AS: Readonly<Record<string, string>> = { HealthCheckSwitch: "HealthCheck" };

/** Returns an attribute of an answer by its name in requests, empty if the answer omits it. */
export function listenerSetting(listener: api.Json, name: string): string {
    return String(listener[name] ?? listener[REPORTED_AS[name] ?? ""] ?? "");
}

/** Objects to which a listener refers. Ids may be unknown until their resource exists. */
export interface ClbListenerReferences<Id, Port> {
    /** Ownership mark. */
    readonly description: Id;
    /** Access control lists, if access control is on. */
    readonly aclIds: readonly Id[];
    /** Certificate to use instead of the model's. */
    readonly certId: Id | undefined;
    /** Port of the HTTPS listener to which this listener redirects. */
    readonly forwardPort: Port | undefined;
}

/** Bandwidth of a listener limited only by its instance. Source: SLB API, CreateLoadBalancerTCPListener. */
export const UNLIMITED = -1;

/**
 * Returns the arguments of the alicloud plugin for a listener, but for its load balancer and server group.
 *
 * The plugin keeps the cloud's value of an omitted attribute, and its defaults differ from the documented defaults, so
 * all attributes are written out.
 *
 * @typeParam Arguments type of the plugin's arguments
 */
export function clbListenerArguments<Arguments extends { readonly xForwardedFor?: object }, Id, Port>(
    model: ClbListener,
    { description, aclIds, certId, forwardPort }: ClbListenerReferences<Id, Port>,
) {
    const { access, tls, protocol, attributes, stickySession } = model;
    const { xForwardedFor, ...plain } = pluginArguments<Arguments>("clb", attributes);
    return {
        frontendPort: model.port,
        protocol,
        description,
        scheduler: model.scheduler,
        // The cloud gives http listeners no bandwidth of their own.
        ...(protocol === "http" ? {} : { bandwidth: UNLIMITED }),
        aclStatus: access.status,
        ...(access.status === "off" ? {} : { aclType: access.type, aclIds: [...aclIds] }),
        // There is no backend port, because the plugin sends it under an empty name.
        ...(protocol === "http" ? { listenerForward: forwardPort === undefined ? "off" : "on", forwardPort } : {}),
        ...plain,
        // The plugin sets the three together.
        ...(xForwardedFor && { xForwardedFor: { ...xForwardedFor, retriveSlbIp: false, retriveSlbId: false } }),
        ...(model.forwardTo === undefined ? healthCheckArguments(model) : {}),
        ...(stickySession && stickyArguments(stickySession)),
        ...(tls && { serverCertificateId: certId ?? tls.certId }),
    };
}

function healthCheckArguments(model: ClbListener) {
    const { enabled, type, timeout, method } = model.healthCheck;
    if (isLayer4(model))
        return { healthCheckTimeout: timeout, ...(model.protocol === "tcp" ? { healthCheckType: type } : {}) };
    if (!enabled) return { healthCheck: "off" };
    // For TCP listeners the plugin does not send the method.
    return { healthCheck: "on", healthCheckTimeout: timeout, ...defined({ healthCheckMethod: method }) };
}

export interface ListenerId extends Pick<ClbListener, "protocol" | "port"> {
    readonly loadBalancerId: string;
}

/**
 * Returns a listener's attributes by the API's names, or undefined if it does not exist
 * (DescribeLoadBalancer…ListenerAttribute).
 */
export function describeListener(
    cloud: Cloud,
    { loadBalancerId, protocol, port }: ListenerId,
): Promise<api.Json | undefined> {
    const params = { LoadBalancerId: loadBalancerId, ListenerPort: port };
    return ignoreNotFound(
        "listener",
        cloud.call("slb", `DescribeLoadBalancer${protocol.toUpperCase()}ListenerAttribute`, params),
    );
}

/** CLB listener as observed. The certificates of further domains take another call. */
export interface ObservedClbListener extends AsObserved<Omit<ClbListener, "tls">> {
    readonly kind: "clb";
    readonly tls?: { readonly certId: string; readonly domains: readonly ObservedDomainExtension[] };
    /** `running`, `stopped` or a status between them. */
    readonly status: string;
    /** Mbit/s. -1 means no limit. No Service sets it. */
    readonly bandwidth?: number;
    /** True if requests get a header with the address, or the id, of the load balancer. No Service sets it. */
    readonly addsAddress: boolean;
    readonly addsId: boolean;
    /** True if answers are compressed, or if the protocol has no compression. No Service sets it. */
    readonly compresses: boolean;
}

/** Returns a listener, or undefined if it does not exist (DescribeLoadBalancer…ListenerAttribute). */
export async function readClbListener(cloud: Cloud, id: ListenerId): Promise<ObservedClbListener | undefined> {
    const answer = await describeListener(cloud, id);
    return answer && observedListener(id, answer);
}

/** Returns a listener from its attributes by the API's names. */
export function observedListener(
    { protocol, port }: Pick<ClbListener, "protocol" | "port">,
    answer: api.Json,
): ObservedClbListener {
    const word = (name: string): string | undefined => listenerSetting(answer, name) || undefined;
    const count = (name: string): number | undefined => (word(name) === undefined ? undefined : Number(word(name)));
    const layer4 = isLayer4({ protocol });
    const forwardPort = word("ListenerForward") === "on" ? count("ForwardPort") : undefined;
    return defined({
        kind: "clb",
        port,
        protocol,
        description: word("Description") ?? "",
        serverGroupId: word("VServerGroupId"),
        status: word("Status") ?? "",
        scheduler: word("Scheduler") ?? "",
        access:
            word("AclStatus") === "on"
                ? ({
                      status: "on",
                      type: word("AclType") === "black" ? "black" : "white",
                      aclIds: (word("AclId") ?? "").split(",").filter((id) => id !== ""),
                  } as const)
                : ({ status: "off" } as const),
        healthCheck: observedClbHealthCheck(protocol, word),
        attributes: observedAttributes("clb", answer),
        drainTimeout: word("ConnectionDrain") === "on" ? count("ConnectionDrainTimeout") : undefined,
        stickySession: layer4 ? undefined : observedSession(word, count),
        tls: protocol === "https" ? { certId: word("ServerCertificateId") ?? "", domains: [] } : undefined,
        forwardPort,
        forwardTo: forwardPort === undefined ? undefined : portKey({ port: forwardPort, protocol: "TCP" }),
        bandwidth: count("Bandwidth"),
        addsAddress: word("XForwardedFor_SLBIP") === "on",
        addsId: word("XForwardedFor_SLBID") === "on",
        compresses: word("Gzip") !== "off",
    });
}

const LISTED = api.fields({
    protocol: ["ListenerProtocol", api.literalOf(...CLB_PROTOCOLS)],
    port: ["ListenerPort", api.requiredNumber],
    description: ["Description", api.defaulted(api.text, "")],
    serverGroupId: ["VServerGroupId", api.text],
    /** Port of the HTTPS listener to which it redirects. */
    forwardPort: [
        "HTTPListenerConfig",
        api.converted(api.optional(api.object({ ListenerForward: api.text, ForwardPort: api.number })), (config) =>
            config?.ListenerForward === "on" ? config.ForwardPort : undefined,
        ),
    ],
});

/** Returns all listeners of a load balancer, or undefined if it does not exist (DescribeLoadBalancerListeners). */
export function listListeners(cloud: Cloud, loadBalancerId: string): Promise<ObservedListener[] | undefined> {
    const params = { LoadBalancerId: [loadBalancerId], MaxResults: 100 };
    const listeners = listByToken(cloud, "slb", "DescribeLoadBalancerListeners", params, ["Listeners", LISTED]);
    return ignoreNotFound("loadBalancer", listeners);
}

/**
 * Changes attributes in place. Omitted attributes stay (SetLoadBalancer…ListenerAttribute).
 *
 * @param attributes by the API's names, such as `HealthCheckInterval` and `XForwardedFor_proto`
 */
export async function setListener(
    cloud: Cloud,
    { loadBalancerId, protocol, port }: ListenerId,
    attributes: Readonly<Record<string, string | number | boolean | undefined>>,
): Promise<void> {
    await cloud.call("slb", `SetLoadBalancer${protocol.toUpperCase()}ListenerAttribute`, {
        LoadBalancerId: loadBalancerId,
        ListenerPort: port,
        ...attributes,
    });
}

/** Starts a listener (StartLoadBalancerListener). */
export async function startListener(cloud: Cloud, id: ListenerId): Promise<void> {
    await cloud.call("slb", "StartLoadBalancerListener", keyOf(id));
}

/** Deletes a listener, if it exists (DeleteLoadBalancerListener). */
export async function deleteListener(cloud: Cloud, id: ListenerId): Promise<void> {
    await ignoreNotFound("listener", cloud.call("slb", "DeleteLoadBalancerListener", keyOf(id)));
}

const keyOf = ({ loadBalancerId, protocol, port }: ListenerId) => ({
    LoadBalancerId: loadBalancerId,
    ListenerProtocol: protocol,
    ListenerPort: port,
});
