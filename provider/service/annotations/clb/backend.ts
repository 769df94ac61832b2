import { entry, input, needs, OF_API, preset, row, rows, undocumented } from "../row";
import { clbDocument, releaseNotes } from "../../../schema/documents";
import { anyCase, checkDomain, httpCodes, integer, labels, oneOf, onOff, uri, vgroupPorts } from "../codecs";
import type { ListenerProtocol } from "../../../schema/protocols";

const OFF = preset(onOff, "off");

export const clbBackendRows = rows("backend", "v1.9.3", clbDocument, {
    backendLabel: row(labels, "which nodes are backends", "Filter backend servers by node label", {
        doc: "Only nodes with all of these labels become backends. It has no effect while pods are the backends.",
    }),
    removeUnscheduledBackend: entry(OFF, "Remove unschedulable nodes from the backend server group", {
        since: "v1.9.3.164-g2105d2e-aliyun",
        api: "which nodes are backends",
        doc: "Whether cordoned and drained nodes stop being backends.",
    }),
    backendType: row(oneOf("eni", "ecs"), "AddVServerGroupBackendServers Type", "Use Pod ENIs as backend servers", {
        suffix: "backend-type",
        defaultNote: "`eni` for Terway clusters created on or after 2020-08-10, `ecs` for all others",
        since: "v1.9.3.164-g2105d2e-aliyun",
        onChange: "server group is replaced",
        doc: "Whether pods with their network interfaces (`eni`) or nodes (`ecs`) are the backends.",
    }),
    vgroupPort: row(vgroupPorts, "VServerGroupId", "Reuse an existing vServer group", {
        companions: [needs("id", "only a reused instance has vServer groups of yours")],
        since: "v2.0.1",
        onChange: "create-only",
        doc:
            "Use these existing vServer groups of a reused instance for these Service ports. Groups made for " +
            "another Service cannot be used.",
        reference: true,
    }),
    weight: {
        type: integer(0, 100, "percent of the traffic; 0 drains the Service"),
        companions: [
            needs("vgroupPort", "traffic is shared out only within a vServer group that several Services use"),
            needs("id", "only a reused instance has vServer groups of yours"),
        ],
        since: "v2.0.1",
        api: "SetVServerGroupAttribute Weight",
        doc: "The share of the traffic that this Service receives where several Services serve one vServer group.",
        source: clbDocument("Set the traffic weight for the Service"),
    },
    ignoreWeightUpdate: row(
        preset(anyCase(onOff), "off"),
        "SetVServerGroupAttribute Weight",
        "Ignore backend server weight updates",
        {
            since: "v2.11.1",
            doc:
                "Whether the weights of backends that are already there are left as they are. New backends get the " +
                "computed weight in any case.",
        },
    ),
    backendIpVersion: entry(preset(anyCase(oneOf("ipv4", "ipv6")), "ipv4"), undocumented("backend-ip-version"), {
        companions: [
            needs("ipVersion", "only such a load balancer passes traffic on to IPv6 addresses", {
                equals: "ipv6",
                when: "ipv6",
            }),
        ],
        api: "AddVServerGroupBackendServers ServerIp",
        doc: "Which addresses of pods are backends: IPv4 ones or IPv6 ones.",
    }),
    defaultWeight: {
        type: integer(0, 100),
        defaults: [{ value: 100 }],
        since: "v2.14.0",
        api: "AddVServerGroupBackendServers Weight",
        doc: "The weight of every backend. With externalTrafficPolicy Local, nodes are weighted by their pods instead.",
        source: releaseNotes("v2.14.0"),
    },
    gracefulShutdown: {
        type: oneOf("true", "false"),
        defaults: [{ value: "false" }],
        since: "v2.15.0",
        api: "SetVServerGroupAttribute Weight",
        doc:
            "Whether a pod that terminates keeps its place with weight 0 for as long as it serves: new connections " +
            "go elsewhere, open ones go on. It is removed once it no longer serves. Pods must be the backends. It " +
            "is off while `ignore-weight-update` is on. Connection draining counts from the removal.",
        source: releaseNotes("v2.15.0"),
    },
});

const LAYER_4: readonly ListenerProtocol[] = ["tcp", "udp"];
const LAYER_7: readonly ListenerProtocol[] = ["http", "https"];
/** Protocols of listeners whose backends can be checked by HTTP, all but UDP. */
const BY_HTTP: readonly ListenerProtocol[] = ["tcp", "http", "https"];
const OWN_PORT = preset(integer(1, 65535, "-520 is the backend's own port", -520), -520);
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
    healthCheckFlag: row(OFF, "HealthCheck", HTTP_SECTION, {
        protocols: LAYER_7,
        doc:
            "Whether the backends of HTTP and HTTPS listeners are checked. TCP and UDP listeners have " +
            "`health-check-switch` instead.",
    }),
    healthCheckType: row(preset(oneOf("tcp", "http"), "tcp"), "HealthCheckType", TCP_SECTION, {
        protocols: BY_HTTP,
        companions: [needs("healthCheckUri", "a check by HTTP needs a path", { when: "http" })],
        doc:
            "How the backends of TCP listeners are checked: by opening a connection (`tcp`) or by an HTTP request " +
            "(`http`). HTTP and HTTPS listeners always check by HTTP.",
    }),
    healthCheckUri: row(uri, { api: "HealthCheckURI", property: "healthCheckUri", check: "http" }, HTTP_SECTION, {
        defaults: [{ value: "/" }],
        protocols: BY_HTTP,
        doc: `The path that an HTTP check asks for. ${OF_API}`,
    }),
    healthCheckHttpcode: entry(preset(httpCodes, ["http_2xx"]), HTTP_SECTION, {
        protocols: BY_HTTP,
        attribute: { api: "HealthCheckHttpCode", property: "healthCheckHttpCode", check: "http" },
        doc: "The answers to an HTTP check that count as healthy.",
    }),
    healthCheckDomain: row(preset(checkDomain, "$_ip"), "HealthCheckDomain", HTTP_SECTION, {
        protocols: BY_HTTP,
        doc: `The host name that an HTTP check asks for. \`$_ip\` is the private address of the backend. ${OF_API}`,
    }),
    healthCheckMethod: row(oneOf("head", "get"), "HealthCheckMethod", HTTP_SECTION, {
        protocols: BY_HTTP,
        since: "v2.3.0",
        defaultNote: "`head` for HTTP and HTTPS listeners; none for TCP listeners: the cloud chooses",
        doc: `The HTTP method of a check. ${OF_API}`,
    }),
    healthCheckConnectPort: entry(OWN_PORT, undocumented("health-check-connect-port"), {
        attribute: { api: "HealthCheckConnectPort" },
        doc: "The port of the backend that is checked.",
    }),
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
            "How long a backend may take to answer an HTTP check. Less than the interval counts as the interval. " +
            OF_API,
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
