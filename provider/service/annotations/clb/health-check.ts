/** Annotations of health checks. */

import { needs, rows, undocumented } from "../row";
import type { ListenerProtocol } from "../../../schema/protocols";
import { clbDocument } from "../../../schema/documents";
import { checkDomain, httpCodes, integer, onOff, oneOf, uri } from "../codecs";

const LAYER_4: readonly ListenerProtocol[] = ["tcp", "udp"];
const LAYER_7: readonly ListenerProtocol[] = ["http", "https"];
/** Checks by HTTP exist behind every listener but UDP ones. */
const BY_HTTP: readonly ListenerProtocol[] = ["tcp", "http", "https"];

const TCP_SECTION = clbDocument("Configure health checks for TCP listeners");
const HTTP_SECTION = clbDocument("Configure HTTP health checks");

export const clbHealthCheckRows = rows("health-check", "v1.9.3", {
    healthCheckSwitch: {
        type: onOff,
        defaults: [{ value: "on" }],
        protocols: LAYER_4,
        since: "v2.6.0",
        api: "HealthCheckSwitch",
        doc:
            "Whether the backends of TCP and UDP listeners are checked. HTTP and HTTPS listeners have " +
            "`health-check-flag` instead.",
        source: clbDocument("Disable health checks for TCP and UDP listeners"),
    },
    healthCheckFlag: {
        type: onOff,
        defaults: [{ value: "off" }],
        protocols: LAYER_7,
        api: "HealthCheck",
        doc:
            "Whether the backends of HTTP and HTTPS listeners are checked. TCP and UDP listeners have " +
            "`health-check-switch` instead.",
        source: HTTP_SECTION,
    },
    healthCheckType: {
        type: oneOf("tcp", "http"),
        defaults: [{ value: "tcp" }],
        protocols: BY_HTTP,
        companions: [needs("healthCheckUri", "the check has to know what to ask for", { when: "http" })],
        api: "HealthCheckType",
        doc:
            "How the backends of TCP listeners are checked: by opening a connection (`tcp`) or by an HTTP request " +
            "(`http`). HTTP and HTTPS listeners always check by HTTP.",
        source: TCP_SECTION,
    },
    healthCheckUri: {
        type: uri,
        defaults: [{ value: "/" }],
        protocols: BY_HTTP,
        attribute: { api: "HealthCheckURI", property: "healthCheckUri", check: "http" },
        doc: "The path that an HTTP check asks for.",
        source: HTTP_SECTION,
    },
    healthCheckHttpcode: {
        type: httpCodes,
        defaults: [{ value: ["http_2xx"] }],
        protocols: BY_HTTP,
        attribute: { api: "HealthCheckHttpCode", property: "healthCheckHttpCode", check: "http" },
        doc: "The answers to an HTTP check that count as healthy.",
        source: HTTP_SECTION,
    },
    healthCheckDomain: {
        type: checkDomain,
        protocols: BY_HTTP,
        api: "HealthCheckDomain",
        doc: "The host name that an HTTP check asks for. `$_ip` is the private address of the backend.",
        source: HTTP_SECTION,
    },
    healthCheckMethod: {
        type: oneOf("head", "get"),
        protocols: BY_HTTP,
        since: "v2.3.0",
        api: "HealthCheckMethod",
        defaultNote: "`head` for HTTP and HTTPS listeners; none for TCP listeners: the cloud chooses",
        doc:
            "The HTTP method of a check. No document states a default; that of the API is sent, so that a removed " +
            "annotation goes back to it.",
        source: HTTP_SECTION,
    },
    healthCheckConnectPort: {
        type: integer(1, 65535, "-520 is the backend's own port", -520),
        defaults: [{ value: -520 }],
        attribute: { api: "HealthCheckConnectPort" },
        doc: "The port of the backend that is checked.",
        ...undocumented("health-check-connect-port"),
    },
    healthCheckConnectTimeout: {
        type: integer(1, 300, "seconds"),
        defaults: [{ value: 5 }],
        protocols: LAYER_4,
        api: "HealthCheckConnectTimeout",
        doc:
            "How long a backend of a TCP or UDP listener may take to answer a check. Less than the interval counts " +
            "as the interval.",
        source: TCP_SECTION,
    },
    healthCheckTimeout: {
        type: integer(1, 300, "seconds"),
        defaultNote: "`5`; for TCP listeners the connect timeout",
        defaults: [{ value: 5 }],
        protocols: BY_HTTP,
        api: "HealthCheckTimeout",
        doc:
            "How long a backend may take to answer an HTTP check. Less than the interval counts as the interval. No " +
            "document states a default; that of the API is sent, so that a removed annotation goes back to it.",
        source: HTTP_SECTION,
    },
    healthCheckInterval: {
        type: integer(1, 50, "seconds"),
        defaults: [{ value: 2 }],
        attribute: { api: "HealthCheckInterval", property: "healthCheckInterval" },
        doc: "The time between two checks.",
        source: TCP_SECTION,
    },
    healthyThreshold: {
        type: integer(2, 10, "checks"),
        defaults: [{ value: 3 }],
        attribute: { api: "HealthyThreshold", property: "healthyThreshold" },
        doc: "How many checks in a row must succeed before a backend counts as healthy.",
        source: TCP_SECTION,
    },
    unhealthyThreshold: {
        type: integer(2, 10, "checks"),
        defaults: [{ value: 3 }],
        attribute: { api: "UnhealthyThreshold", property: "unhealthyThreshold" },
        doc: "How many checks in a row must fail before a backend counts as unhealthy.",
        source: TCP_SECTION,
    },
});
