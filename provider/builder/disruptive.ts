import { backendTypeOf, defaultOf } from "../service/annotations";
import { listenerProtocolOf } from "../schema/protocols";
import type { ClusterFacts } from "../schema/facts";
import type { Service, ServicePort } from "../service/service";

type ServiceResources = Pick<Service, "settings" | "ports" | "loadBalancerType">;

/**
 * Returns the fields that a load balancer changes only with an interruption, as texts to compare: Proxy Protocol, type
 * of backends, and protocol of each listener port; of an NLB also address type, zones, and type of server groups.
 *
 * Defaults are written out: stating one is no change. Sources: "Configure CLB using annotations" and "Configure Network
 * Load Balancer (NLB) Using Annotations".
 */
export function disruptiveFields(service: ServiceResources, facts: ClusterFacts): Record<string, string> {
    const { settings, ports, loadBalancerType } = service;
    return {
        proxyProtocol: settings.proxyProtocol ?? defaultOf("proxyProtocol", facts, loadBalancerType) ?? "off",
        backendType: backendTypeOf(settings, facts),
        ...(loadBalancerType === "nlb" ? nlbFacts(service) : {}),
        ...Object.fromEntries(
            ports.map((port) => [`listener ${port.protocol}:${port.port}`, describeListener(port, service)]),
        ),
    };
}

function describeListener(port: ServicePort, { settings }: ServiceResources): string {
    const protocol = listenerProtocolOf(port, settings);
    const redirect = protocol === "http" ? settings.forwardPort?.find(({ http }) => http === port.port) : undefined;
    const range = settings.listenerPortRange?.find((one) => one.port === port.port);
    const parts = [
        protocol,
        redirect && `redirected to ${redirect.https}`,
        range && `on ports ${range.from}-${range.to}`,
    ];
    return parts.filter((part) => part !== undefined).join(", ");
}

function nlbFacts({ settings }: ServiceResources): Record<string, string> {
    const zones = (settings.zoneMaps ?? []).map(({ zoneId, vswitchId, privateIpv4, allocationId }) => [
        `zone ${zoneId}`,
        [vswitchId, privateIpv4, allocationId].filter((part) => part !== undefined).join(" "),
    ]);
    return {
        addressType: settings.addressType ?? "internet",
        serverGroupType: settings.serverGroupType ?? "Instance",
        ...Object.fromEntries(zones),
    };
}
