import { comesWith, entry, needs, preset, row, rows, undocumented } from "../row";
import { nlbDocument, releaseNotes } from "../../../schema/documents";
import { anyCase, httpCodes, integer, nlbCheckDomain, nlbGroupPorts, oneOf, onOff, uri } from "../codecs";
import { clbBackendRows } from "../clb/backend";
import type { ListenerProtocol } from "../../../schema/protocols";

export const nlbBackendRows = rows("backend", "v2.5.0", nlbDocument, {
    backendLabel: { ...clbBackendRows.backendLabel, since: "v2.5.0" },
    removeUnscheduledBackend: { ...clbBackendRows.removeUnscheduledBackend, since: "v2.5.0" },
    backendType: { ...clbBackendRows.backendType, since: "v2.5.0", api: "AddServersToServerGroup ServerType" },
    serverGroupType: entry(preset(anyCase(oneOf("Instance", "Ip")), "Instance"), "Configure Server Group Type", {
        since: "v2.8.0",
        onChange: "server group is replaced",
        api: "CreateServerGroup ServerGroupType",
        doc:
            "Whether server groups hold instances and network interfaces (`Instance`) or addresses (`Ip`). Pods " +
            "outside the VPC, at the edge for instance, can be reached as addresses only.",
    }),
    backendIpVersion: entry(anyCase(oneOf("ipv4", "ipv6", "dualstack")), undocumented("backend-ip-version"), {
        defaults: [{ value: "ipv4" }],
        companions: ["ipv6", "dualstack"].map((when) =>
            needs("ipVersion", "only such a load balancer has IPv6 addresses to pass on from", {
                equals: "DualStack",
                when,
            }),
        ),
        since: "v2.9.1",
        onChange: "server group is replaced",
        api: "CreateServerGroup AddressIPVersion, UpdateServerGroupAttribute IpVersionAffinityMode",
        doc:
            "Which addresses of pods are backends: IPv4 ones, IPv6 ones, or, from v2.14.0 on, both, each for the " +
            "clients of its version.",
    }),
    defaultWeight: { ...clbBackendRows.defaultWeight, api: "AddServersToServerGroup Weight" },
    gracefulShutdown: { ...clbBackendRows.gracefulShutdown, api: "UpdateServerGroupServersAttribute Weight" },
    vgroupPort: row(nlbGroupPorts, "ServerGroupId", "Reuse an Existing Server Group", {
        companions: [needs("id", "only a reused instance has server groups of yours")],
        since: "v2.9.1",
        onChange: "create-only",
        doc:
            "Use these existing server groups for these Service ports. Groups made for another Service cannot be " +
            "used.",
        reference: true,
    }),
    weight: {
        ...clbBackendRows.weight,
        since: "v2.9.1",
        api: "UpdateServerGroupServersAttribute Weight",
        source: nlbDocument("Configure Service Traffic Weight"),
    },
    ignoreWeightUpdate: {
        ...clbBackendRows.ignoreWeightUpdate,
        api: "UpdateServerGroupServersAttribute Weight",
        source: nlbDocument("Ignore Backend Server Weight Updates"),
    },
});

/** A group with kept client addresses cannot serve TLS that ends at the load balancer. */
const WITH_CLIENT_IP: readonly ListenerProtocol[] = ["tcp", "udp"];
const CHECKS = "Configure TCP Health Checks";
const HTTP_CHECKS = "Configure HTTP Health Checks";

export const nlbServerGroupRows = rows("listener", "v2.5.0", nlbDocument, {
    scheduler: entry(anyCase(oneOf("wrr", "rr", "sch", "tch", "wlc", "qch")), "Configure Scheduling Policy", {
        defaults: [{ value: "wrr" }],
        api: "Scheduler",
        doc:
            "How connections are spread over the backends: in turn by weight (`wrr`), in turn (`rr`), by source " +
            "address (`sch`), by source and destination address and port (`tch`), by weight and open connections " +
            "(`wlc`), or by QUIC connection id (`qch`, UDP).",
    }),
    connectionDrain: row(preset(anyCase(onOff), "off"), "ConnectionDrainEnabled", "Configure Connection Draining", {
        companions: [needs("connectionDrainTimeout", "no default is known for the time to wait", { when: "on" })],
        doc:
            "Whether connections to a backend that is removed or unhealthy are closed after a while; they are left " +
            "open otherwise.",
    }),
    connectionDrainTimeout: entry(integer(0, 900, "seconds, 0 closes at once"), "Configure Connection Draining", {
        companions: [needs("connectionDrain", "the time counts only while draining is on", { equals: "on" })],
        api: "ConnectionDrainTimeout",
        doc: "For how long connections to such a backend may go on.",
    }),
    preserveClientIp: row(preset(anyCase(onOff), "on"), "PreserveClientIpEnabled", "Configure Client IP Preservation", {
        defaultNote: "`on`; `off` behind TCPSSL listeners, and in groups of addresses the cloud decides",
        protocols: WITH_CLIENT_IP,
        doc:
            "Whether backends see the client's address instead of the load balancer's. TCPSSL listeners cannot have " +
            "it.",
    }),
});

export const nlbHealthCheckRows = rows("health-check", "v2.5.0", nlbDocument, {
    healthCheckFlag: row(preset(anyCase(onOff), "on"), "HealthCheckConfig HealthCheckEnabled", CHECKS, {
        doc: "Whether the backends are checked.",
    }),
    healthCheckType: row(anyCase(oneOf("tcp", "http", "udp")), "HealthCheckConfig HealthCheckType", CHECKS, {
        defaults: [{ value: "tcp" }],
        companions: [comesWith("healthCheckUri", 'checks by HTTP ask for "/" by default', { when: "http" })],
        doc:
            "How backends are checked: by opening a TCP connection, by an HTTP request, or by a UDP packet. The " +
            "default holds for UDP listeners too.",
    }),
    healthCheckConnectPort: entry(preset(integer(0, 65535, "0 is the backend's own port"), 0), CHECKS, {
        defaultNote: "`0`; the targetPort where a listener has a range of ports",
        api: "HealthCheckConfig HealthCheckConnectPort",
        doc: "The port of the backend that is checked.",
    }),
    healthCheckConnectTimeout: row(integer(1, 300, "seconds"), "HealthCheckConfig HealthCheckConnectTimeout", CHECKS, {
        defaults: [{ value: 5 }],
        doc: "How long a backend may take to answer a check.",
    }),
    healthCheckInterval: row(preset(integer(1, 50, "seconds"), 10), "HealthCheckConfig HealthCheckInterval", CHECKS, {
        doc: "The time between two checks.",
    }),
    healthyThreshold: row(preset(integer(2, 10, "checks"), 2), "HealthCheckConfig HealthyThreshold", CHECKS, {
        doc: "How many checks in a row must succeed before a backend counts as healthy.",
    }),
    unhealthyThreshold: row(preset(integer(2, 10, "checks"), 2), "HealthCheckConfig UnhealthyThreshold", CHECKS, {
        doc: "How many checks in a row must fail before a backend counts as unhealthy.",
    }),
    healthCheckUri: row(preset(uri, "/"), "HealthCheckConfig HealthCheckUrl", HTTP_CHECKS, {
        doc: "The path that an HTTP check asks for.",
    }),
    healthCheckDomain: row(preset(nlbCheckDomain, "$SERVER_IP"), "HealthCheckConfig HealthCheckDomain", HTTP_CHECKS, {
        doc: "The host name that an HTTP check asks for. `$SERVER_IP` is the private address of the backend.",
    }),
    healthCheckMethod: row(anyCase(oneOf("get", "head")), "HealthCheckConfig HttpCheckMethod", HTTP_CHECKS, {
        defaults: [{ value: "get" }],
        doc: "The HTTP method of a check.",
    }),
    healthCheckHttpcode: entry(preset(httpCodes, ["http_2xx"]), undocumented("health-check-httpcode"), {
        api: "HealthCheckConfig HealthCheckHttpCode",
        doc: "The answers to an HTTP check that count as healthy.",
    }),
    healthCheckHttpVersion: {
        type: anyCase(oneOf("HTTP1.0", "HTTP1.1")),
        defaults: [{ value: "HTTP1.0" }],
        since: "v2.15.0",
        api: "HealthCheckConfig HealthCheckHttpVersion",
        doc:
            "The version of HTTP in which a check asks. The default is that of the API: a removed annotation goes " +
            "back to it.",
        source: releaseNotes("v2.15.0"),
    },
});
