/** Health checks of NLB server groups: type, building, reading and the words of the plugin. */

import * as api from "../cloud/http/answer";
import { defined } from "../schema/defined";
import type { Settings, SettingValue } from "../schema/settings";
import { settled } from "../service/annotations";
import type { ServicePort } from "../service/service";

type HttpVersion = SettingValue<"healthCheckHttpVersion">;

/** Health check of an NLB server group. Times in seconds. */
export type NlbHealthCheck =
    | { readonly enabled: false }
    | {
          readonly enabled: true;
          readonly type: "TCP" | "HTTP" | "UDP";
          /** 0 = the member's own port. */
          readonly connectPort: number;
          readonly connectTimeout: number;
          readonly interval: number;
          readonly healthyThreshold: number;
          readonly unhealthyThreshold: number;
          /** Checks by HTTP. */
          readonly http?: {
              readonly url: string;
              readonly domain: string;
              readonly method: "GET" | "HEAD";
              readonly codes: readonly string[];
              readonly version: HttpVersion;
          };
      };

/** A group for a range of ports is checked on the targetPort: the client's port is not known beforehand. */
export function buildNlbHealthCheck(settings: Settings, port: ServicePort, anyPort: boolean): NlbHealthCheck {
    if (settings.healthCheckFlag === "off") return { enabled: false };
    const type = settled(settings, "healthCheckType", "nlb");
    const fallback = anyPort && typeof port.targetPort === "number" ? port.targetPort : 0;
    const http = {
        url: settled(settings, "healthCheckUri", "nlb"),
        domain: settled(settings, "healthCheckDomain", "nlb"),
        method: settled(settings, "healthCheckMethod", "nlb").toUpperCase() as "GET" | "HEAD",
        codes: settled(settings, "healthCheckHttpcode", "nlb"),
        version: settled(settings, "healthCheckHttpVersion", "nlb"),
    };
    return {
        enabled: true,
        type: type.toUpperCase() as "TCP" | "HTTP" | "UDP",
        connectPort: settings.healthCheckConnectPort ?? fallback,
        connectTimeout: settled(settings, "healthCheckConnectTimeout", "nlb"),
        interval: settled(settings, "healthCheckInterval", "nlb"),
        healthyThreshold: settled(settings, "healthyThreshold", "nlb"),
        unhealthyThreshold: settled(settings, "unhealthyThreshold", "nlb"),
        ...(type === "http" ? { http } : {}),
    };
}

/**
 * Returns the plugin's arguments with all defaults written out, because it keeps the cloud's value of absent arguments.
 */
export function nlbCheckArguments(check: NlbHealthCheck) {
    if (!check.enabled) return { healthCheckEnabled: false };
    return {
        healthCheckEnabled: true,
        healthCheckType: check.type,
        healthCheckConnectPort: check.connectPort,
        healthCheckConnectTimeout: check.connectTimeout,
        healthCheckInterval: check.interval,
        healthyThreshold: check.healthyThreshold,
        unhealthyThreshold: check.unhealthyThreshold,
        ...(check.http && {
            healthCheckUrl: check.http.url,
            healthCheckDomain: check.http.domain,
            httpCheckMethod: check.http.method,
            healthCheckHttpCodes: [...check.http.codes],
            healthCheckHttpVersion: check.http.version,
        }),
    };
}

const count = api.defaulted(api.number, 0);

const CHECK = api.fields({
    enabled: ["HealthCheckEnabled", api.flag],
    type: ["HealthCheckType", api.converted(api.text, (type = "TCP") => type as "TCP" | "HTTP" | "UDP")],
    connectPort: ["HealthCheckConnectPort", count],
    connectTimeout: ["HealthCheckConnectTimeout", count],
    interval: ["HealthCheckInterval", count],
    healthyThreshold: ["HealthyThreshold", count],
    unhealthyThreshold: ["UnhealthyThreshold", count],
    url: ["HealthCheckUrl", api.defaulted(api.text, "")],
    domain: ["HealthCheckDomain", api.defaulted(api.text, "")],
    method: ["HttpCheckMethod", api.converted(api.text, (method = "") => method.toUpperCase() as "GET" | "HEAD")],
    codes: ["HealthCheckHttpCode", api.textList],
    version: ["HealthCheckHttpVersion", api.converted(api.text, (version = "HTTP1.0") => version as HttpVersion)],
    request: ["HealthCheckReq", api.text],
    answer: ["HealthCheckExp", api.text],
});

/** Check as the API lists it, with request and answer of a UDP check, which no Service sets. */
export const NLB_HEALTH_CHECK = api.converted(
    CHECK,
    ({ url, domain, method, codes, version, request, answer, ...check }) => {
        const { enabled } = check;
        const http = /^http$/i.test(check.type) ? { http: { url, domain, method, codes, version } } : {};
        const healthCheck: NlbHealthCheck = enabled ? { ...check, enabled, ...http } : { enabled };
        return { healthCheck, ...defined({ checkRequest: request, checkAnswer: answer }) };
    },
);
