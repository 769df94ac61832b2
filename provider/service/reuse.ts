import { backendTypeOf, ipVersionOf, settled } from "./annotations";
import type { Service, ServicePort } from "./service";
import type { ImmutableFields } from "../schema/settings";
import {
    CROSS_VPC_SINCE,
    type ReusedAttributes,
    type ListenerAddress,
    type ReuseRequest,
    type Tenant,
} from "../schema/observed";
import { defined } from "../schema/defined";
import { type ClusterFacts, compatibilityOf } from "../schema/facts";
import { listenerProtocolOf } from "../schema/protocols";
import type { Settings, ZoneMap } from "../schema/settings";
import { isAtLeast, SHARING_SINCE } from "../schema/versions";

/** True if the Service uses an existing instance. */
export function reuses({ settings }: Pick<Service, "settings">): boolean {
    return settings.id !== undefined;
}

/** True if the listeners are managed: on a reused instance only with force-override-listeners. */
export function managesListeners(service: Pick<Service, "settings">): boolean {
    return !reuses(service) || service.settings.forceOverrideListeners === "true";
}

/** Builds the request of a Service that names an existing instance. `boundTo` = addresses in its status. */
export function buildReuse(
    service: Service,
    facts: ClusterFacts,
    boundTo: readonly string[],
): ReuseRequest | undefined {
    const { settings, namespace, name, ports, loadBalancerType } = service;
    if (settings.id === undefined) return undefined;
    return {
        loadBalancerType,
        loadBalancerId: settings.id,
        namespace,
        name,
        clusterId: facts.clusterId,
        addressType: settings.addressType ?? "internet",
        ...defined({ vpcId: facts.vpcId }),
        manageListeners: managesListeners(service),
        listeners: ports.map((port) => placeOf(service, port)),
        joinedGroups: joinedBy(service),
        additionalTags: settings.additionalResourceTags ?? {},
        attachesPods: backendTypeOf(settings, facts) === "eni",
        boundTo,
        denied: facts.deniedLoadBalancers ?? [],
        ...(loadBalancerType === "nlb" ? nlbRequest(settings, facts) : clbRequest(settings)),
    };
}

/** Part of a request that depends on the type of load balancer. */
type RequestOfType = Pick<ReuseRequest, "ipVersion" | "fixed" | "attributes" | "crossesVpcs" | "groupType">;

function clbRequest(settings: Settings): RequestOfType {
    const { masterZoneid, slaveZoneid, resourceGroupId, ip, chargeType } = settings;
    const internetChargeType = chargeType === "paybybandwidth" ? "PayByBandwidth" : "PayByTraffic";
    return {
        ipVersion: ipVersionOf(settings),
        fixed: defined({ masterZoneid, slaveZoneid, resourceGroupId, ip }),
        attributes: defined<ReusedAttributes>({
            name: settings.name,
            instanceChargeType: settings.instanceChargeType,
            spec: settings.spec,
            internetChargeType: chargeType && internetChargeType,
            bandwidth: settings.bandwidth,
            deleteProtection: settings.deleteProtection,
            modificationProtection: settings.modificationProtection,
        }),
    };
}

function nlbRequest(settings: Settings, facts: ClusterFacts): RequestOfType {
    const { ipVersion, resourceGroupId, securityGroupIds, zoneMaps } = settings;
    return {
        ...(ipVersion === undefined ? {} : { ipVersion: ipVersion === "DualStack" ? "DualStack" : "ipv4" }),
        fixed: defined({ resourceGroupId }),
        attributes: defined<ReusedAttributes>({
            name: settings.name,
            addressType: settings.addressType,
            zoneMaps: zoneMaps && sortedZones(zoneMaps),
            securityGroupIds: securityGroupIds && sortedIds(securityGroupIds),
            ipv6AddressType: settings.ipv6AddressType,
            bandwidthPackageId: settings.bandwidthPackageId,
            crossZoneEnabled: settings.crossZoneEnabled,
            deleteProtection: settings.deleteProtection,
            modificationProtection: settings.modificationProtection,
        }),
        crossesVpcs: isAtLeast(compatibilityOf(facts), CROSS_VPC_SINCE),
        groupType: settled(settings, "serverGroupType", "nlb"),
    };
}

/** Sorts ids, each once. */
export const sortedIds = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

export const sortedZones = (zones: readonly ZoneMap[]): ZoneMap[] =>
    zones.toSorted((a, b) => (a.zoneId < b.zoneId ? -1 : 1));

/** Returns the immutable fields of a reuse: the instance, and the joined groups on it. */
export function reuseImmutableFields({ id, vgroupPort }: Settings): ImmutableFields {
    if (id === undefined) return {};
    return defined({ id, vgroupPort: vgroupPort?.map(({ vgroupId, port }) => `${vgroupId}:${port}`).join(",") });
}

/** Returns the listener port or ports of a Service port on an NLB. */
export function portsOf(
    settings: Settings,
    { port }: ServicePort,
): number | { readonly from: number; readonly to: number } {
    const range = settings.listenerPortRange?.find((candidate) => candidate.port === port);
    return range === undefined ? port : { from: range.from, to: range.to };
}

type Listening = Pick<Service, "settings" | "ports"> & Partial<Pick<Service, "loadBalancerType">>;

function placeOf({ settings, loadBalancerType }: Listening, port: ServicePort): ListenerAddress {
    const protocol = listenerProtocolOf(port, settings);
    const ports = loadBalancerType === "nlb" ? portsOf(settings, port) : port.port;
    return typeof ports === "number" ? { protocol, port: ports } : { protocol, port: ports.from, endPort: ports.to };
}

/** Returns the user-managed groups by listener port, not by Service port. */
function joinedBy(service: Listening): Tenant["joinedGroups"] {
    return (service.settings.vgroupPort ?? []).map(({ vgroupId, port }) => {
        const own = service.ports.find((one) => one.port === port);
        return { vgroupId, port: own === undefined ? port : placeOf(service, own).port };
    });
}

/** Builds a tenant of a shared instance. `instance` = its id, or the name that the program gave it. */
export function tenantOf(
    service: Pick<Service, "namespace" | "name"> & Listening,
    instance: string,
    facts: Pick<ClusterFacts, "compatibility">,
): Tenant {
    const { namespace, name, ports } = service;
    return {
        service: `${namespace}/${name}`,
        instance,
        listeners: ports.map((port) => placeOf(service, port)),
        manageListeners: managesListeners(service),
        joinedGroups: joinedBy(service),
        ...(reuses(service) && !isAtLeast(compatibilityOf(facts), SHARING_SINCE) ? { alone: true } : {}),
    };
}
