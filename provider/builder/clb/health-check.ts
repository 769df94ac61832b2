import { settled } from "../../annotations";
import type { Settings } from "../../schema/settings";
import type { ClbHealthCheck } from "../../model/clb";
import type { ClbProtocol } from "../../schema/protocols";
import { defined } from "../../schema/defined";

/** Method of a check behind HTTP and HTTPS listeners. Source: SLB API, CreateLoadBalancerHTTPListener, HealthCheckMethod. */
const LAYER_7_METHOD = "head";

/** Of a listener that passes nothing on to backends. */
export const HEALTH_CHECK_OFF: ClbHealthCheck = {
    enabled: false,
    type: "http",
    timeout: settled({}, "healthCheckTimeout", "clb"),
};

/** The health check of a listener. */
export function buildHealthCheck(settings: Settings, protocol: ClbProtocol): ClbHealthCheck {
    const layer7 = protocol === "http" || protocol === "https";
    const type = layer7 ? "http" : protocol === "udp" ? "udp" : (settings.healthCheckType ?? "tcp");
    const interval = settled(settings, "healthCheckInterval", "clb");
    return {
        enabled: layer7 ? settings.healthCheckFlag === "on" : settings.healthCheckSwitch !== "off",
        type,
        timeout: Math.max(requestedTimeout(settings, layer7, type), interval),
        ...(type === "http" ? httpCheck(settings, layer7) : {}),
    };
}

/** Which of the two timeout annotations counts depends on what is checked: connect-timeout for a connection, timeout for an HTTP answer. */
function requestedTimeout(settings: Settings, layer7: boolean, type: ClbHealthCheck["type"]): number {
    const connect = settings.healthCheckConnectTimeout;
    const answer = settings.healthCheckTimeout;
    const chosen = layer7 ? answer : type === "http" ? (answer ?? connect) : connect;
    return chosen ?? settled({}, "healthCheckTimeout", "clb");
}

function httpCheck(settings: Settings, layer7: boolean): Partial<ClbHealthCheck> {
    // For TCP listeners no method is documented; the cloud chooses.
    const method = settings.healthCheckMethod ?? (layer7 ? LAYER_7_METHOD : undefined);
    return {
        ...defined({ domain: settings.healthCheckDomain, method }),
    };
}
