/** Attributes of listeners of a CLB that the alicloud plugin cannot set. */
import { defined } from "../schema/defined";
import { type ClbProtocol, isLayer4 } from "../schema/protocols";
import { listenerOptions, optionDefaults } from "../service/annotations";
import type { ClbListener } from "./listener";

/**
 * Default host of a health check, the backend's own address. Source: SLB API, CreateLoadBalancerHTTPListener,
 * HealthCheckDomain.
 */
export const OWN_ADDRESS = "$_ip";

/**
 * Options missing from the alicloud plugin, by the API's names, with the cloud's defaults. Removing an option restores
 * its default. Draining has no default time, because switching it off is enough, and the method of a check behind a TCP
 * listener none, because no document names it.
 */
export const OPTION_DEFAULTS: Readonly<Record<string, string>> = {
    HealthCheckSwitch: "on",
    HealthCheckDomain: OWN_ADDRESS,
    ConnectionDrain: "off",
    ...optionDefaults("clb"),
};

/** Returns the defaults of the options of a listener. The plugin writes some of them for HTTP and HTTPS listeners. */
export function defaultsOf(protocol: ClbProtocol): Readonly<Record<string, string>> {
    if (isLayer4({ protocol })) return OPTION_DEFAULTS;
    const { HealthCheckSwitch: _, ...own } = OPTION_DEFAULTS;
    return own;
}

export const areDefaults = (options: Readonly<Record<string, string>>): boolean =>
    Object.entries(options).every(([name, value]) => OPTION_DEFAULTS[name] === value);

/**
 * Returns the attributes the plugin cannot set, by the API's names. Includes defaults, so an edit in the console shows
 * as drift.
 */
export function clbListenerOptions(model: ClbListener): Record<string, string> {
    const { healthCheck, drainTimeout } = model;
    const layer4 = isLayer4(model);
    return {
        ...(layer4
            ? {
                  HealthCheckSwitch: healthCheck.enabled ? "on" : "off",
                  ConnectionDrain: drainTimeout === undefined ? "off" : "on",
              }
            : {}),
        ...defined({ ConnectionDrainTimeout: drainTimeout?.toString() }),
        ...(layer4 && healthCheck.method !== undefined ? { HealthCheckMethod: healthCheck.method } : {}),
        ...(healthCheck.enabled && healthCheck.type === "http"
            ? { HealthCheckDomain: healthCheck.domain ?? OWN_ADDRESS }
            : {}),
        ...listenerOptions("clb", model.attributes),
    };
}
