import { listenerProtocolOf, type ListenerProtocol, type Settings } from "../annotations";
import type { ClusterFacts } from "../model/facts";
import { type HealthCheck, type Listener, portKey } from "../model/listener";
import { ownershipKey } from "../model/names";
import type { Service, ServicePort } from "../model/service";
import { groupKey } from "./servergroup";

/** Documented defaults of health checks. Seconds and counts. Source: "Configure CLB using annotations", health checks for TCP, UDP and HTTP listeners. */
const HEALTH_CHECK_DEFAULTS = { timeout: 5, interval: 2, threshold: 3, httpCode: "http_2xx", uri: "/", method: "head" } as const;

/** The listeners of a Service, one for each port, in the order of the manifest. */
export function buildListeners(service: Service, facts: ClusterFacts): Listener[] {
    return service.ports.map((port) => buildListener(service, port, facts));
}

function buildListener(service: Service, port: ServicePort, facts: ClusterFacts): Listener {
    const protocol = listenerProtocolOf(port, service.settings);
    return {
        key: portKey(port),
        port: port.port,
        protocol,
        serverGroup: groupKey(service, port, facts),
        description: ownershipKey(port.port, { ...service, clusterId: facts.clusterId }),
        scheduler: service.settings.scheduler ?? "rr",
        healthCheck: buildHealthCheck(service.settings, protocol),
    };
}

function buildHealthCheck(settings: Settings, protocol: ListenerProtocol): HealthCheck {
    const layer7 = protocol === "http" || protocol === "https";
    const type = layer7 ? "http" : protocol === "udp" ? "udp" : (settings.healthCheckType ?? "tcp");
    const interval = settings.healthCheckInterval ?? HEALTH_CHECK_DEFAULTS.interval;
    return {
        enabled: layer7 ? settings.healthCheckFlag === "on" : settings.healthCheckSwitch !== "off",
        type,
        timeout: Math.max(requestedTimeout(settings, layer7, type), interval),
        interval,
        healthyThreshold: settings.healthyThreshold ?? HEALTH_CHECK_DEFAULTS.threshold,
        unhealthyThreshold: settings.unhealthyThreshold ?? HEALTH_CHECK_DEFAULTS.threshold,
        ...(type === "http" ? httpCheck(settings, layer7) : {}),
    };
}

/** Which of the two timeout annotations counts depends on what is checked: connect-timeout for a connection, timeout for an HTTP answer. */
function requestedTimeout(settings: Settings, layer7: boolean, type: HealthCheck["type"]): number {
    const connect = settings.healthCheckConnectTimeout;
    const answer = settings.healthCheckTimeout;
    const chosen = layer7 ? answer : type === "http" ? (answer ?? connect) : connect;
    return chosen ?? HEALTH_CHECK_DEFAULTS.timeout;
}

function httpCheck(settings: Settings, layer7: boolean): Partial<HealthCheck> {
    return {
        uri: settings.healthCheckUri ?? HEALTH_CHECK_DEFAULTS.uri,
        httpCode: settings.healthCheckHttpcode?.join(",") ?? HEALTH_CHECK_DEFAULTS.httpCode,
        ...(settings.healthCheckDomain === undefined ? {} : { domain: settings.healthCheckDomain }),
        // The cloud takes a method for http and https listeners only.
        ...(layer7 ? { method: settings.healthCheckMethod ?? HEALTH_CHECK_DEFAULTS.method } : {}),
    };
}
