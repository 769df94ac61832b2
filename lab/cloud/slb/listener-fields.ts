import type { ParamSpec } from "../core";
import type { AttributeValue, Protocol } from "./state";

/** Attribute of a listener: the way it is sent, its permitted values, and its value if it is not sent. */
export interface ListenerField {
    /** Name in Set calls and in answers. */
    readonly name: string;
    readonly type: "int" | "text" | "bool";
    readonly protocols: readonly Protocol[];
    /** Value of a new listener. If absent, answers leave the attribute out until it is set. */
    readonly default?: AttributeValue;
    readonly limits?: ParamSpec;
    /** Name in create calls of these protocols, where it differs. */
    readonly createName?: (protocol: Protocol) => string;
    /** Name in answers, where it differs. */
    readonly answerName?: string;
    /** Reported but never set by a request. */
    readonly fixed?: true;
}

const ALL: readonly Protocol[] = ["tcp", "udp", "http", "https"];
const L4: readonly Protocol[] = ["tcp", "udp"];
const WEB: readonly Protocol[] = ["http", "https"];
const ON_OFF: ParamSpec = { allowed: ["on", "off"] };
const PORT: ParamSpec = { min: 1, max: 65535 };

function int(name: string, protocols: readonly Protocol[], limits: ParamSpec, fallback?: number): ListenerField {
    return { name, type: "int", protocols, limits, ...(fallback === undefined ? {} : { default: fallback }) };
}

function onOff(name: string, protocols: readonly Protocol[], fallback?: string): ListenerField {
    return { name, type: "text", protocols, limits: ON_OFF, ...(fallback === undefined ? {} : { default: fallback }) };
}

function text(name: string, protocols: readonly Protocol[], limits: ParamSpec = {}, fallback?: string): ListenerField {
    return { name, type: "text", protocols, limits, ...(fallback === undefined ? {} : { default: fallback }) };
}

/**
 * TCP and UDP create calls spell this parameter with a small letter, and do not accept the spelling of the Set call.
 */
const intervalName = (protocol: Protocol): string =>
    L4.includes(protocol) ? "healthCheckInterval" : "HealthCheckInterval";

/**
 * Attributes of CLB listeners. A parameter that is not in the table for a protocol is ignored, as the API does: the
 * alicloud plugin sends `StickySession=&HealthCheck=&RequestTimeout=0&Gzip=off` with TCP listeners.
 *
 * Sources: CLB API CreateLoadBalancer…Listener and SetLoadBalancer…ListenerAttribute (ranges), answers and defaults as
 * in testdata/alicloud-plugin (README, "The cloud behind the recording").
 */
export const LISTENER_FIELDS: readonly ListenerField[] = [
    int("Bandwidth", ALL, { min: 1, max: 5120, also: [-1] }, -1),
    text("Scheduler", L4, { allowed: ["wrr", "wlc", "rr", "sch", "tch", "qch"] }, "rr"),
    text("Scheduler", WEB, { allowed: ["wrr", "wlc", "rr"] }, "rr"),
    onOff("AclStatus", ALL, "off"),
    text("AclType", ALL, { allowed: ["white", "black"] }),
    text("Description", ALL, { maxLength: 256 }, ""),
    int("HealthyThreshold", ALL, { min: 1, max: 10 }, 3),
    int("UnhealthyThreshold", ALL, { min: 1, max: 10 }, 3),
    { ...int("HealthCheckInterval", ALL, { min: 1, max: 50 }, 2), createName: intervalName },
    int("HealthCheckConnectPort", ALL, { ...PORT, also: [-520, 0] }),

    int("PersistenceTimeout", L4, { min: 0, max: 3600 }, 0),
    int("EstablishedTimeout", ["tcp"], { min: 10, max: 900 }, 900),
    { ...onOff("HealthCheckSwitch", L4, "on"), answerName: "HealthCheck" },
    text("HealthCheckType", ["tcp"], { allowed: ["tcp", "http"] }, "tcp"),
    int("HealthCheckConnectTimeout", L4, { min: 1, max: 300 }, 5),
    { ...text("SynProxy", ["tcp"], {}, "disable"), fixed: true },
    onOff("ConnectionDrain", L4, "off"),
    int("ConnectionDrainTimeout", L4, { min: 10, max: 900 }),
    { name: "ProxyProtocolV2Enabled", type: "bool", protocols: L4, default: false },
    text("healthCheckReq", ["udp"], { maxLength: 64 }),
    text("healthCheckExp", ["udp"], { maxLength: 64 }),

    text("HealthCheckDomain", ["tcp", ...WEB], { maxLength: 80 }),
    text("HealthCheckURI", ["tcp"], { maxLength: 80 }),
    text("HealthCheckURI", WEB, { maxLength: 80 }, "/"),
    text("HealthCheckHttpCode", ["tcp"]),
    text("HealthCheckHttpCode", WEB, {}, "http_2xx"),
    text("HealthCheckMethod", ["tcp", ...WEB], { allowed: ["head", "get"] }),

    onOff("StickySession", WEB, "off"),
    text("StickySessionType", WEB, { allowed: ["insert", "server"] }),
    int("CookieTimeout", WEB, { min: 1, max: 86400 }),
    text("Cookie", WEB, { maxLength: 200 }),
    onOff("HealthCheck", WEB, "off"),
    { ...text("HealthCheckType", WEB, {}, "tcp"), fixed: true },
    int("HealthCheckTimeout", WEB, { min: 1, max: 300 }, 5),
    int("IdleTimeout", WEB, { min: 1, max: 60 }, 15),
    int("RequestTimeout", WEB, { min: 1, max: 180 }, 60),
    onOff("Gzip", WEB, "on"),
    onOff("XForwardedFor", WEB, "on"),
    onOff("XForwardedFor_SLBIP", WEB, "off"),
    onOff("XForwardedFor_SLBID", WEB, "off"),
    onOff("XForwardedFor_proto", WEB, "off"),
    onOff("XForwardedFor_SLBPORT", WEB, "off"),
    onOff("XForwardedFor_ClientSrcPort", WEB, "off"),
    onOff("ListenerForward", ["http"], "off"),
    int("ForwardPort", ["http"], PORT),

    text("ServerCertificateId", ["https"]),
    text("CACertificateId", ["https"]),
    onOff("EnableHttp2", ["https"], "on"),
    text("TLSCipherPolicy", ["https"], {}, "tls_cipher_policy_1_0"),
];

export function fieldsOf(protocol: Protocol): ListenerField[] {
    return LISTENER_FIELDS.filter((field) => field.protocols.includes(protocol));
}

/** The parameter that carries a field in a create or set call. */
export function parameterName(field: ListenerField, protocol: Protocol, creating: boolean): string {
    return creating && field.createName !== undefined ? field.createName(protocol) : field.name;
}
