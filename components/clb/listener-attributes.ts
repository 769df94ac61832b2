import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { listenerOptions, optionDefaults, pluginArguments } from "../../provider/service/annotations";
import { type ClbListener, isLayer4, type StickySession, type Tls } from "../../provider/clb/listener";
import { defined } from "../../provider/schema/defined";

/** References of a listener. Ids may be known only after their resource exists. */
export interface ListenerReferences {
    /** Ownership mark. */
    readonly description: pulumi.Input<string>;
    /** Access control list, where access control is on. */
    readonly aclIds: readonly pulumi.Input<string>[];
    /** Certificate, in place of the one that the model names. */
    readonly certId: pulumi.Input<string> | undefined;
    /** Port of the HTTPS listener that this one redirects to. */
    readonly forwardPort: pulumi.Input<number> | undefined;
}

/** Listener, desired or observed. */
type Model = Omit<ClbListener, "key" | "serverGroup">;

type Attributes = Omit<slb.ListenerArgs, "loadBalancerId" | "serverGroupId">;

/** Bandwidth of a listener: limited by the instance's only. Source: SLB API, CreateLoadBalancerTCPListener. */
const UNLIMITED = -1;

/**
 * A listener in the words of the alicloud plugin.
 *
 * The plugin keeps the cloud's value of an omitted attribute, and its defaults differ from the documented ones: all
 * attributes are written out.
 */
export function listenerAttributes(model: Model, references: ListenerReferences): Attributes {
    return {
        frontendPort: model.port,
        protocol: model.protocol,
        description: references.description,
        scheduler: model.scheduler,
        // The cloud gives http listeners no bandwidth of their own.
        ...(model.protocol === "http" ? {} : { bandwidth: UNLIMITED }),
        ...accessAttributes(model, references),
        ...(model.protocol === "http" ? forwardAttributes(references) : {}),
        ...plainAttributes(model),
        ...(model.forwardTo === undefined ? healthCheckAttributes(model) : {}),
        ...(model.stickySession && stickyAttributes(model.stickySession)),
        ...(model.tls && tlsAttributes(model.tls, references)),
    };
}

function plainAttributes({ attributes }: Model): Partial<Attributes> {
    const { xForwardedFor, ...others } = pluginArguments<pulumi.Unwrap<Attributes>>("clb", attributes);
    // The plugin sets the three together.
    return xForwardedFor === undefined
        ? others
        : { ...others, xForwardedFor: { ...xForwardedFor, retriveSlbIp: false, retriveSlbId: false } };
}

function accessAttributes({ access }: Model, { aclIds }: ListenerReferences): Partial<Attributes> {
    return access.status === "off"
        ? { aclStatus: "off" }
        : { aclStatus: "on", aclType: access.type, aclIds: [...aclIds] };
}

/** Never a backend port: the plugin sends it under an empty name. */
function forwardAttributes({ forwardPort }: ListenerReferences): Partial<Attributes> {
    return forwardPort === undefined ? { listenerForward: "off" } : { listenerForward: "on", forwardPort };
}

function stickyAttributes(session: StickySession): Partial<Attributes> {
    switch (session.kind) {
        case "off":
            return { stickySession: "off" };
        case "insert":
            return { stickySession: "on", stickySessionType: "insert", cookieTimeout: session.timeout };
        case "server":
            return { stickySession: "on", stickySessionType: "server", cookie: session.cookie };
    }
}

function tlsAttributes(tls: Tls, { certId }: ListenerReferences): Partial<Attributes> {
    return { serverCertificateId: certId ?? tls.certId };
}

function healthCheckAttributes(model: Model): Partial<Attributes> {
    const { enabled, type, timeout, method } = model.healthCheck;
    if (isLayer4(model))
        return { healthCheckTimeout: timeout, ...(model.protocol === "tcp" ? { healthCheckType: type } : {}) };
    if (!enabled) return { healthCheck: "off" };
    // For TCP listeners the plugin does not send the method.
    return {
        healthCheck: "on",
        healthCheckTimeout: timeout,
        ...defined({ healthCheckMethod: method }),
    };
}

/**
 * Default host of a health check: the backend's own address. Source: SLB API, CreateLoadBalancerHTTPListener,
 * HealthCheckDomain.
 */
const OWN_ADDRESS = "$_ip";

/**
 * Defaults of the cloud, restored when an option is removed. Draining has no default time: switching it off is
 * enough.
 */
export const OPTION_DEFAULTS: Readonly<Record<string, string>> = {
    HealthCheckSwitch: "on",
    HealthCheckDomain: OWN_ADDRESS,
    HealthCheckMethod: "head",
    ConnectionDrain: "off",
    ...optionDefaults("clb"),
};

/**
 * Attributes that the plugin's listener must leave to `ListenerOptions`.
 *
 * The plugin can set a health check domain and port, but cannot remove them or set them to the backend's own.
 */
export const LEFT_TO_OPTIONS: readonly string[] = ["healthCheckDomain", "healthCheckConnectPort"];

/**
 * Listener attributes that the plugin cannot set, by the API's names. Includes defaults: an edit in the console shows
 * as drift.
 */
export function ownListenerOptions(model: Model): Record<string, string> {
    const { healthCheck, drainTimeout } = model;
    const layer4 = isLayer4(model);
    return {
        ...(layer4
            ? {
                  HealthCheckSwitch: healthCheck.enabled ? "on" : "off",
                  ConnectionDrain: drainTimeout === undefined ? "off" : "on",
              }
            : {}),
        ...defined({ ConnectionDrainTimeout: drainTimeout?.toString() }),
        ...(layer4 && healthCheck.method !== undefined ? { HealthCheckMethod: healthCheck.method } : {}),
        ...(healthCheck.enabled && healthCheck.type === "http"
            ? { HealthCheckDomain: healthCheck.domain ?? OWN_ADDRESS }
            : {}),
        ...listenerOptions("clb", model.attributes),
    };
}
