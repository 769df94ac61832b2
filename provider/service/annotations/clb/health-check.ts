import { entry, input, needs, preset, row, rows, undocumented } from "../row";
import type { ListenerProtocol } from "../../../schema/protocols";
import { clbDocument } from "../../../schema/documents";
import { checkDomain, httpCodes, integer, onOff, oneOf, uri } from "../codecs";

const LAYER_4: readonly ListenerProtocol[] = ["tcp", "udp"];
const LAYER_7: readonly ListenerProtocol[] = ["http", "https"];
/** Checks by HTTP exist behind every listener but UDP ones. */
const BY_HTTP: readonly ListenerProtocol[] = ["tcp", "http", "https"];
const TCP_SECTION = "Configure health checks for TCP listeners";
const HTTP_SECTION = "Configure HTTP health checks";

export const clbHealthCheckRows = rows("health-check", "v1.9.3", clbDocument, {
    healthCheckSwitch: row(onOff, "HealthCheckSwitch", "Disable health checks for TCP and UDP listeners", {
        defaults: [{ value: "on" }],
        protocols: LAYER_4,
        since: "v2.6.0",
        doc:
            "Whether the backends of TCP and UDP listeners are checked. HTTP and HTTPS listeners have " +
            "`health-check-flag` instead.",
    }),
    healthCheckFlag: row(preset(onOff, "off"), "HealthCheck", HTTP_SECTION, {
        protocols: LAYER_7,
        doc:
            "Whether the backends of HTTP and HTTPS listeners are checked. TCP and UDP listeners have " +
            "`health-check-switch` instead.",
    }),
    healthCheckType: row(preset(oneOf("tcp", "http"), "tcp"), "HealthCheckType", TCP_SECTION, {
        protocols: BY_HTTP,
        companions: [needs("healthCheckUri", "the check has to know what to ask for", { when: "http" })],
        doc:
            "How the backends of TCP listeners are checked: by opening a connection (`tcp`) or by an HTTP request " +
            "(`http`). HTTP and HTTPS listeners always check by HTTP.",
    }),
    healthCheckUri: row(uri, { api: "HealthCheckURI", property: "healthCheckUri", check: "http" }, HTTP_SECTION, {
        defaults: [{ value: "/" }],
        protocols: BY_HTTP,
        doc: "The path that an HTTP check asks for.",
    }),
    healthCheckHttpcode: entry(preset(httpCodes, ["http_2xx"]), HTTP_SECTION, {
        protocols: BY_HTTP,
        attribute: { api: "HealthCheckHttpCode", property: "healthCheckHttpCode", check: "http" },
        doc: "The answers to an HTTP check that count as healthy.",
    }),
    healthCheckDomain: row(checkDomain, "HealthCheckDomain", HTTP_SECTION, {
        protocols: BY_HTTP,
        doc: "The host name that an HTTP check asks for. `$_ip` is the private address of the backend.",
    }),
    healthCheckMethod: row(oneOf("head", "get"), "HealthCheckMethod", HTTP_SECTION, {
        protocols: BY_HTTP,
        since: "v2.3.0",
        defaultNote: "`head` for HTTP and HTTPS listeners; none for TCP listeners: the cloud chooses",
        doc:
            "The HTTP method of a check. No document states a default; that of the API is sent, so that a removed " +
            "annotation goes back to it.",
    }),
    healthCheckConnectPort: {
        type: integer(1, 65535, "-520 is the backend's own port", -520),
        defaults: [{ value: -520 }],
        attribute: { api: "HealthCheckConnectPort" },
        doc: "The port of the backend that is checked.",
        ...undocumented("health-check-connect-port"),
    },
    healthCheckConnectTimeout: row(preset(integer(1, 300, "seconds"), 5), "HealthCheckConnectTimeout", TCP_SECTION, {
        protocols: LAYER_4,
        doc:
            "How long a backend of a TCP or UDP listener may take to answer a check. Less than the interval counts " +
            "as the interval.",
    }),
    healthCheckTimeout: row(preset(integer(1, 300, "seconds"), 5), "HealthCheckTimeout", HTTP_SECTION, {
        defaultNote: "`5`; for TCP listeners the connect timeout",
        protocols: BY_HTTP,
        doc:
            "How long a backend may take to answer an HTTP check. Less than the interval counts as the interval. No " +
            "document states a default; that of the API is sent, so that a removed annotation goes back to it.",
    }),
    healthCheckInterval: row(preset(integer(1, 50, "seconds"), 2), input("HealthCheckInterval"), TCP_SECTION, {
        doc: "The time between two checks.",
    }),
    healthyThreshold: row(preset(integer(2, 10, "checks"), 3), input("HealthyThreshold"), TCP_SECTION, {
        doc: "How many checks in a row must succeed before a backend counts as healthy.",
    }),
    unhealthyThreshold: row(preset(integer(2, 10, "checks"), 3), input("UnhealthyThreshold"), TCP_SECTION, {
        doc: "How many checks in a row must fail before a backend counts as unhealthy.",
    }),
});
