import { backendTypeOf, defaultOf, listenerProtocolOf } from "../annotations";
import type { ClusterFacts } from "../model/facts";
import type { Service } from "../model/service";

/**
 * What a living load balancer can change only at the price of an outage, as texts to compare: Proxy Protocol, the kind of backends, and what stands on each listener port.
 *
 * Defaults are written out, so that stating one is no change. Source: "Configure CLB using annotations", Proxy Protocol, redirects and backend types.
 */
export function disruptiveFacts({ settings, ports, loadBalancerType }: Pick<Service, "settings" | "ports" | "loadBalancerType">, facts: ClusterFacts): Record<string, string> {
    const listeners = ports.map((port): [string, string] => {
        const protocol = listenerProtocolOf(port, settings);
        const redirect = protocol === "http" ? settings.forwardPort?.find(({ http }) => http === port.port) : undefined;
        return [`listener ${port.protocol}:${port.port}`, redirect === undefined ? protocol : `${protocol}, redirected to ${redirect.https}`];
    });
    return {
        proxyProtocol: settings.proxyProtocol ?? defaultOf("proxyProtocol", facts, loadBalancerType) ?? "off",
        backendType: backendTypeOf(settings, facts),
        ...Object.fromEntries(listeners),
    };
}
