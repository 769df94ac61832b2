/** Annotations of NLB server groups: scheduling, draining, health checks. */

import { comesWith, needs, rows, undocumented } from "../row";
import type { ListenerProtocol } from "../../../schema/protocols";
import { nlbDocument } from "../../../schema/documents";
import { anyCase, httpCodes, integer, nlbCheckDomain, onOff, oneOf, uri } from "../codecs";

/** A group with kept client addresses cannot serve TLS that ends at the load balancer. */
const WITH_CLIENT_IP: readonly ListenerProtocol[] = ["tcp", "udp"];

const CHECKS = nlbDocument("Configure TCP Health Checks");
const HTTP_CHECKS = nlbDocument("Configure HTTP Health Checks");

export const nlbServerGroupRows = rows("listener", "v2.5.0", {
    scheduler: {
        type: anyCase(oneOf("wrr", "rr", "sch", "tch", "wlc", "qch")),
        defaults: [{ value: "wrr" }],
        api: "Scheduler",
        doc:
            "How connections are spread over the backends: in turn by weight (`wrr`), in turn (`rr`), by source " +
            "address (`sch`), by source and destination address and port (`tch`), by weight and open connections " +
            "(`wlc`), or by QUIC connection id (`qch`, UDP).",
        source: nlbDocument("Configure Scheduling Policy"),
    },
    connectionDrain: {
        type: anyCase(onOff),
        defaults: [{ value: "off" }],
        companions: [needs("connectionDrainTimeout", "no default is known for the time to wait", { when: "on" })],
        api: "ConnectionDrainEnabled",
        doc:
            "Whether connections to a backend that is removed or unhealthy are closed after a while; they are left " +
            "open otherwise.",
        source: nlbDocument("Configure Connection Draining"),
    },
    connectionDrainTimeout: {
        type: integer(0, 900, "seconds, 0 closes at once"),
        companions: [needs("connectionDrain", "the time counts only while draining is on", { equals: "on" })],
        api: "ConnectionDrainTimeout",
        doc: "For how long connections to such a backend may go on.",
        source: nlbDocument("Configure Connection Draining"),
    },
    preserveClientIp: {
        type: anyCase(onOff),
        defaultNote: "`on`; `off` behind TCPSSL listeners, and in groups of addresses the cloud decides",
        defaults: [{ value: "on" }],
        protocols: WITH_CLIENT_IP,
        api: "PreserveClientIpEnabled",
        doc:
            "Whether backends see the client's address instead of the load balancer's. TCPSSL listeners cannot have " +
            "it.",
        source: nlbDocument("Configure Client IP Preservation"),
    },
});

export const nlbHealthCheckRows = rows("health-check", "v2.5.0", {
    healthCheckFlag: {
        type: anyCase(onOff),
        defaults: [{ value: "on" }],
        api: "HealthCheckConfig HealthCheckEnabled",
        doc: "Whether the backends are checked.",
        source: CHECKS,
    },
    healthCheckType: {
        type: anyCase(oneOf("tcp", "http", "udp")),
        defaults: [{ value: "tcp" }],
        companions: [comesWith("healthCheckUri", 'checks by HTTP ask for "/" by default', { when: "http" })],
        api: "HealthCheckConfig HealthCheckType",
        doc:
            "How backends are checked: by opening a TCP connection, by an HTTP request, or by a UDP packet. The " +
            "default holds for UDP listeners too.",
        source: CHECKS,
    },
    healthCheckConnectPort: {
        type: integer(0, 65535, "0 is the backend's own port"),
        defaultNote: "`0`; the targetPort where a listener has a range of ports",
        defaults: [{ value: 0 }],
        api: "HealthCheckConfig HealthCheckConnectPort",
        doc: "The port of the backend that is checked.",
        source: CHECKS,
    },
    healthCheckConnectTimeout: {
        type: integer(1, 300, "seconds"),
        defaults: [{ value: 5 }],
        api: "HealthCheckConfig HealthCheckConnectTimeout",
        doc: "How long a backend may take to answer a check.",
        source: CHECKS,
    },
    healthCheckInterval: {
        type: integer(1, 50, "seconds"),
        defaults: [{ value: 10 }],
        api: "HealthCheckConfig HealthCheckInterval",
        doc: "The time between two checks.",
        source: CHECKS,
    },
    healthyThreshold: {
        type: integer(2, 10, "checks"),
        defaults: [{ value: 2 }],
        api: "HealthCheckConfig HealthyThreshold",
        doc: "How many checks in a row must succeed before a backend counts as healthy.",
        source: CHECKS,
    },
    unhealthyThreshold: {
        type: integer(2, 10, "checks"),
        defaults: [{ value: 2 }],
        api: "HealthCheckConfig UnhealthyThreshold",
        doc: "How many checks in a row must fail before a backend counts as unhealthy.",
        source: CHECKS,
    },
    healthCheckUri: {
        type: uri,
        defaults: [{ value: "/" }],
        api: "HealthCheckConfig HealthCheckUrl",
        doc: "The path that an HTTP check asks for.",
        source: HTTP_CHECKS,
    },
    healthCheckDomain: {
        type: nlbCheckDomain,
        defaults: [{ value: "$SERVER_IP" }],
        api: "HealthCheckConfig HealthCheckDomain",
        doc: "The host name that an HTTP check asks for. `$SERVER_IP` is the private address of the backend.",
        source: HTTP_CHECKS,
    },
    healthCheckMethod: {
        type: anyCase(oneOf("get", "head")),
        defaults: [{ value: "get" }],
        api: "HealthCheckConfig HttpCheckMethod",
        doc: "The HTTP method of a check.",
        source: HTTP_CHECKS,
    },
    healthCheckHttpcode: {
        type: httpCodes,
        defaults: [{ value: ["http_2xx"] }],
        api: "HealthCheckConfig HealthCheckHttpCode",
        doc: "The answers to an HTTP check that count as healthy.",
        ...undocumented("health-check-httpcode"),
    },
});
