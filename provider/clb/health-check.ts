/** Health checks of CLB listeners: type, building and reading. */

import { type ClbProtocol, isLayer4 } from "../schema/protocols";
import { defined } from "../schema/defined";
import type { Settings } from "../schema/settings";
import { settled } from "../service/annotations";

/** Health check of a listener, without its plain {@link ClbListener.attributes}. */
export interface ClbHealthCheck {
    readonly enabled: boolean;
    readonly type: "tcp" | "http" | "udp";
    /** Seconds, never below the interval. */
    readonly timeout: number;
    /** Host header. `$_ip` means the backend's own address. */
    readonly domain?: string;
    readonly method?: "head" | "get";
}

export function buildClbHealthCheck(settings: Settings, protocol: ClbProtocol): ClbHealthCheck {
    const layer7 = !isLayer4({ protocol });
    const type = layer7 ? "http" : protocol === "udp" ? "udp" : (settings.healthCheckType ?? "tcp");
    const interval = settled(settings, "healthCheckInterval", "clb");
    // Only behind HTTP and HTTPS listeners the API has a default, `head`. Source: CreateLoadBalancerHTTPListener.
    const method = settings.healthCheckMethod ?? (layer7 ? "head" : undefined);
    return {
        enabled: layer7 ? settings.healthCheckFlag === "on" : settings.healthCheckSwitch !== "off",
        type,
        timeout: Math.max(checkTimeout(settings, layer7, type), interval),
        ...(type === "http" ? defined({ domain: settings.healthCheckDomain, method }) : {}),
    };
}

/** Connect timeout for a check by connection, timeout for a check by HTTP. */
function checkTimeout(settings: Settings, layer7: boolean, type: ClbHealthCheck["type"]): number {
    const { healthCheckConnectTimeout: connect, healthCheckTimeout: answer } = settings;
    const byType = type === "http" ? (answer ?? connect) : connect;
    return (layer7 ? answer : byType) ?? settled({}, "healthCheckTimeout", "clb");
}

/** @param word reads an attribute by the API's name */
export function observedClbHealthCheck(
    protocol: ClbProtocol,
    word: (name: string) => string | undefined,
): ClbHealthCheck {
    const layer4 = isLayer4({ protocol });
    const type = protocol === "udp" ? "udp" : layer4 ? (word("HealthCheckType") ?? "tcp") : "http";
    return defined({
        enabled: layer4 ? word("HealthCheckSwitch") !== "off" : word("HealthCheck") === "on",
        type: type as ClbHealthCheck["type"],
        timeout: Number(word(layer4 ? "HealthCheckConnectTimeout" : "HealthCheckTimeout") ?? 0),
        domain: word("HealthCheckDomain"),
        method: word("HealthCheckMethod") as ClbHealthCheck["method"],
    });
}
