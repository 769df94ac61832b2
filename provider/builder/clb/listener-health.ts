import type { Settings } from "../../schema/settings";
import type { ClbHealthCheck } from "../../model/clb/listener";
import type { ClbProtocol } from "../../schema/protocols";

/** Documented defaults of health checks. Seconds and counts. Source: "Configure CLB using annotations", health checks for TCP, UDP and HTTP listeners. */
const DEFAULTS = { timeout: 5, interval: 2, threshold: 3, httpCode: "http_2xx", uri: "/", method: "head" } as const;

/** Of a listener that passes nothing on to backends. */
export const HEALTH_CHECK_OFF: ClbHealthCheck = {
    enabled: false,
    type: "http",
    timeout: DEFAULTS.timeout,
    interval: DEFAULTS.interval,
    healthyThreshold: DEFAULTS.threshold,
    unhealthyThreshold: DEFAULTS.threshold,
};

/** The health check of a listener. */
export function buildHealthCheck(settings: Settings, protocol: ClbProtocol): ClbHealthCheck {
    const layer7 = protocol === "http" || protocol === "https";
    const type = layer7 ? "http" : protocol === "udp" ? "udp" : (settings.healthCheckType ?? "tcp");
    const interval = settings.healthCheckInterval ?? DEFAULTS.interval;
    return {
        enabled: layer7 ? settings.healthCheckFlag === "on" : settings.healthCheckSwitch !== "off",
        type,
        timeout: Math.max(requestedTimeout(settings, layer7, type), interval),
        interval,
        healthyThreshold: settings.healthyThreshold ?? DEFAULTS.threshold,
        unhealthyThreshold: settings.unhealthyThreshold ?? DEFAULTS.threshold,
        ...(type === "http" ? httpCheck(settings, layer7) : {}),
    };
}

/** Which of the two timeout annotations counts depends on what is checked: connect-timeout for a connection, timeout for an HTTP answer. */
function requestedTimeout(settings: Settings, layer7: boolean, type: ClbHealthCheck["type"]): number {
    const connect = settings.healthCheckConnectTimeout;
    const answer = settings.healthCheckTimeout;
    const chosen = layer7 ? answer : type === "http" ? (answer ?? connect) : connect;
    return chosen ?? DEFAULTS.timeout;
}

function httpCheck(settings: Settings, layer7: boolean): Partial<ClbHealthCheck> {
    // For TCP listeners the documents state no method; what is not asked for stays the cloud's choice.
    const method = settings.healthCheckMethod ?? (layer7 ? DEFAULTS.method : undefined);
    return {
        uri: settings.healthCheckUri ?? DEFAULTS.uri,
        httpCode: settings.healthCheckHttpcode?.join(",") ?? DEFAULTS.httpCode,
        ...(settings.healthCheckDomain === undefined ? {} : { domain: settings.healthCheckDomain }),
        ...(method === undefined ? {} : { method }),
    };
}
