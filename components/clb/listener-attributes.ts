import type * as slb from "@pulumi/alicloud/slb";
import type * as pulumi from "@pulumi/pulumi";
import { listenerOptions, optionDefaults, pluginArguments } from "../../provider/service/annotations";
import { type ClbListener, isLayer4, type StickySession } from "../../provider/clb/listener";
import { defined } from "../../provider/schema/defined";

/** References of a listener. Ids may be known only after their resource exists. */
interface ListenerReferences {
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
    const { access, tls, protocol } = model;
    const { description, aclIds, certId, forwardPort } = references;
    return {
        frontendPort: model.port,
        protocol,
        description,
        scheduler: model.scheduler,
        // The cloud gives http listeners no bandwidth of their own.
        ...(protocol === "http" ? {} : { bandwidth: UNLIMITED }),
        aclStatus: access.status,
        ...(access.status === "off" ? {} : { aclType: access.type, aclIds: [...aclIds] }),
        // Never a backend port: the plugin sends it under an empty name.
        ...(protocol === "http" ? { listenerForward: forwardPort === undefined ? "off" : "on", forwardPort } : {}),
        ...plainAttributes(model),
        ...(model.forwardTo === undefined ? healthCheckAttributes(model) : {}),
        ...(model.stickySession && stickyAttributes(model.stickySession)),
        ...(tls && { serverCertificateId: certId ?? tls.certId }),
    };
}

function plainAttributes({ attributes }: Model): Partial<Attributes> {
    const { xForwardedFor, ...others } = pluginArguments<pulumi.Unwrap<Attributes>>("clb", attributes);
    // The plugin sets the three together.
    return xForwardedFor === undefined
        ? others
        : { ...others, xForwardedFor: { ...xForwardedFor, retriveSlbIp: false, retriveSlbId: false } };
}

function stickyAttributes(session: StickySession): Partial<Attributes> {
    if (session.kind === "off") return { stickySession: "off" };
    const stored = session.kind === "insert" ? { cookieTimeout: session.timeout } : { cookie: session.cookie };
    return { stickySession: "on", stickySessionType: session.kind, ...stored };
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
