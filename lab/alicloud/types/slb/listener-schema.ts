import type { Attributes, SchemaMap, Suppressor } from "../../terraform/schema";
import { either, fixed, flag, list, optional, output, required, text, textSet, whole } from "../../terraform/shorthand";
import {
    any,
    between,
    lengthBetween,
    matchesNot,
    oneOf,
    partsOf,
    plainBetween,
    plainNumberOf,
} from "../../terraform/validators";

const isProtocol = (data: Attributes, ...protocols: string[]): boolean =>
    protocols.includes(data.given("protocol") as string);
const isOn = (data: Attributes, name: string): boolean => data.given(name) === "on";

/** A web listener that serves, rather than forwards. */
const isServingWeb = (data: Attributes): boolean =>
    !isOn(data, "listener_forward") && isProtocol(data, "http", "https");
const isSticky = (data: Attributes): boolean => isServingWeb(data) && isOn(data, "sticky_session");

/** The attribute counts only where the condition holds. */
const only =
    (counts: (data: Attributes) => boolean): Suppressor =>
    (_key, _before, _after, data) =>
        !counts(data);

const forWeb = only(isServingWeb);
const forHttps = only((data) => isProtocol(data, "https"));
const forTcp = only((data) => isProtocol(data, "tcp"));
const forTcpAndUdp = only((data) => isProtocol(data, "tcp", "udp"));
const withAcl = only((data) => isOn(data, "acl_status"));
const withStickySession = only(isSticky);
const withInsertedCookie = only((data) => isSticky(data) && data.given("sticky_session_type") === "insert");
const withServerCookie = only((data) => isSticky(data) && data.given("sticky_session_type") === "server");
const withHealthCheck = only((data) => !isServingWeb(data) || isOn(data, "health_check"));
const withHttpHealthCheck = only(
    (data) =>
        (isServingWeb(data) && isOn(data, "health_check")) ||
        (isProtocol(data, "tcp") && data.given("health_check_type") === "http"),
);
const withForwarding = only((data) => isProtocol(data, "http") && isOn(data, "listener_forward"));

export const listenerSchema: SchemaMap = {
    load_balancer_id: text(fixed(required)),
    description: text(optional),
    frontend_port: whole({ ...fixed(required), validate: between(1, 65535) }),
    lb_port: whole({ ...optional, removed: "Field 'lb_port' has been removed since 1.211.0." }),
    backend_port: whole({ ...fixed(optional), validate: between(1, 65535) }),
    instance_port: whole({ ...optional, removed: "Field 'instance_port' has been removed since 1.211.0" }),
    lb_protocol: text({ ...optional, removed: "Field 'lb_protocol' has been removed since 1.211.0." }),
    protocol: text({ ...fixed(required), validate: oneOf("http", "https", "tcp", "udp") }),
    bandwidth: whole({ ...either, validate: any(plainBetween(1, 1000), plainNumberOf(-1)) }),
    scheduler: text({
        ...optional,
        default: "wrr",
        keepsDefault: true,
        validate: oneOf("wrr", "wlc", "rr", "sch", "tch", "qch"),
    }),
    server_group_id: text(optional),
    master_slave_server_group_id: text(optional),
    acl_status: text({ ...optional, default: "off", keepsDefault: true, validate: oneOf("on", "off") }),
    acl_type: text({ ...optional, validate: oneOf("black", "white"), suppress: withAcl }),
    acl_ids: textSet({ ...either, suppress: withAcl }),
    acl_id: text({
        ...either,
        suppress: withAcl,
        deprecated: "Field `acl_id` has been deprecated from provider version 1.249.0. New field `acl_ids` instead.",
    }),
    sticky_session: text({
        ...optional,
        default: "off",
        keepsDefault: true,
        validate: oneOf("on", "off"),
        suppress: forWeb,
    }),
    sticky_session_type: text({ ...optional, validate: oneOf("insert", "server"), suppress: withStickySession }),
    cookie_timeout: whole({ ...optional, validate: between(1, 86400), suppress: withInsertedCookie }),
    cookie: text({ ...optional, validate: lengthBetween(1, 200), suppress: withServerCookie }),
    persistence_timeout: whole({ ...optional, default: 0, validate: between(0, 3600), suppress: forTcpAndUdp }),
    health_check: text({
        ...optional,
        default: "on",
        keepsDefault: true,
        validate: oneOf("on", "off"),
        suppress: forWeb,
    }),
    health_check_method: text({ ...either, validate: oneOf("head", "get") }),
    health_check_type: text({
        ...optional,
        default: "tcp",
        keepsDefault: true,
        validate: oneOf("tcp", "http"),
        suppress: forTcp,
    }),
    health_check_domain: text({
        ...optional,
        validate: matchesNot(/^\$_ip$/, "value '$_ip' has been deprecated, and empty string will replace it"),
        suppress: withHttpHealthCheck,
    }),
    health_check_uri: text({
        ...optional,
        default: "/",
        validate: lengthBetween(1, 80),
        suppress: withHttpHealthCheck,
    }),
    health_check_connect_port: whole({
        ...either,
        validate: any(plainBetween(0, 65535), plainNumberOf(-520)),
        suppress: withHealthCheck,
    }),
    healthy_threshold: whole({ ...optional, default: 3, validate: between(1, 10), suppress: withHealthCheck }),
    unhealthy_threshold: whole({ ...optional, default: 3, validate: between(1, 10), suppress: withHealthCheck }),
    health_check_timeout: whole({ ...optional, default: 5, validate: between(1, 300), suppress: withHealthCheck }),
    health_check_interval: whole({ ...optional, default: 2, validate: between(1, 50), suppress: withHealthCheck }),
    health_check_http_code: text({
        ...either,
        validate: partsOf(",", "http_2xx", "http_3xx", "http_4xx", "http_5xx"),
        suppress: withHttpHealthCheck,
    }),
    ssl_certificate_id: text({
        ...either,
        suppress: forHttps,
        deprecated:
            "Field 'ssl_certificate_id' has been deprecated from 1.59.0 and using 'server_certificate_id' instead.",
    }),
    server_certificate_id: text({ ...either, suppress: forHttps }),
    ca_certificate_id: text({ ...optional, suppress: forHttps }),
    gzip: flag({ ...optional, default: true, suppress: forWeb }),
    x_forwarded_for: list(
        {
            retrive_client_ip: flag(output),
            retrive_slb_ip: flag({ ...optional, default: false }),
            retrive_slb_id: flag({ ...optional, default: false }),
            retrive_slb_proto: flag({ ...optional, default: false }),
        },
        { ...either, maxItems: 1 },
    ),
    established_timeout: whole({ ...optional, default: 900, validate: between(10, 900), suppress: forTcp }),
    idle_timeout: whole({ ...optional, default: 15, validate: between(1, 60), suppress: forWeb }),
    request_timeout: whole({ ...optional, default: 60, validate: between(1, 180), suppress: forWeb }),
    enable_http2: text({
        ...optional,
        default: "on",
        keepsDefault: true,
        validate: oneOf("on", "off"),
        suppress: forHttps,
    }),
    tls_cipher_policy: text({
        ...optional,
        default: "tls_cipher_policy_1_0",
        validate: oneOf(
            "tls_cipher_policy_1_0",
            "tls_cipher_policy_1_1",
            "tls_cipher_policy_1_2",
            "tls_cipher_policy_1_2_strict",
            "tls_cipher_policy_1_2_strict_with_1_3",
        ),
        suppress: forHttps,
    }),
    forward_port: whole({ ...fixed(optional), validate: between(1, 65535), suppress: withForwarding }),
    listener_forward: text({
        ...fixed(either),
        validate: oneOf("on", "off"),
        suppress: only((data) => isProtocol(data, "http")),
    }),
    delete_protection_validation: flag(optional),
    proxy_protocol_v2_enabled: flag(either),
};
