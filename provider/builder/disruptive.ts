import { backendTypeOf, defaultOf } from "../annotations";
import { listenerProtocolOf } from "../schema/protocols";
import type { ClusterFacts } from "../schema/facts";
import type { Service, ServicePort } from "../kubernetes/service/service";

type ServiceResources = Pick<Service, "settings" | "ports" | "loadBalancerType">;

/**
 * What a load balancer can change only with an interruption, as texts to compare: Proxy Protocol, the kind of backends, and the protocol of each listener port;
 * of an NLB also its address type, its address in each zone, and what its server groups hold.
 *
 * Defaults are written out, so that stating one is no change. Sources: "Configure CLB using annotations", Proxy Protocol, redirects and backend types;
 * "Configure Network Load Balancer (NLB) Using Annotations", the same, and zones.
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
    return [
        protocol,
        ...(redirect === undefined ? [] : [`redirected to ${redirect.https}`]),
        ...(range === undefined ? [] : [`on ports ${range.from}-${range.to}`]),
    ].join(", ");
}

function nlbFacts({ settings }: ServiceResources): Record<string, string> {
    const zones = (settings.zoneMaps ?? []).map(
        ({ zoneId, vswitchId, privateIpv4, allocationId }): [string, string] => [
            `zone ${zoneId}`,
            [
                vswitchId,
                ...(privateIpv4 === undefined ? [] : [privateIpv4]),
                ...(allocationId === undefined ? [] : [allocationId]),
            ].join(" "),
        ],
    );
    return {
        addressType: settings.addressType ?? "internet",
        serverGroupType: settings.serverGroupType ?? "Instance",
        ...Object.fromEntries(zones),
    };
}
