import { backendTypeOf, ipVersionOf, settled } from "../annotations";
import { listenerProtocolOf } from "../schema/protocols";
import type { Settings } from "../schema/settings";
import { type ClusterFacts, compatibilityOf } from "../schema/facts";
import {
    CROSS_VPC_SINCE,
    type ReusedAttributes,
    type ListenerAddress,
    type ReuseRequest,
    type Tenant,
} from "../model/observed";
import type { ImmutableFields } from "../model/clb";
import type { Service, ServicePort } from "../kubernetes/service/service";
import { isAtLeast, SHARING_SINCE } from "../schema/versions";
import { portsOf } from "./nlb/ports";
import { defined } from "../schema/defined";

/** Whether the Service uses an instance that is there already. */
export function reuses({ settings }: Pick<Service, "settings">): boolean {
    return settings.id !== undefined;
}

/** Whether the listeners are the Service's: always on a managed instance, on a reused one only with force-override-listeners. */
export function managesListeners(service: Pick<Service, "settings">): boolean {
    return !reuses(service) || service.settings.forceOverrideListeners === "true";
}

/**
 * What a Service wants of the instance that it names; undefined if it names none.
 *
 * @param boundTo addresses in the Service's status.
 */
export function buildReuse(
    service: Service,
    facts: ClusterFacts,
    boundTo: readonly string[],
): ReuseRequest | undefined {
    const { settings, namespace, name, ports, loadBalancerType } = service;
    if (settings.id === undefined) {
        return undefined;
    }
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

/** What only one kind of load balancer has. */
type RequestOfType = Pick<ReuseRequest, "ipVersion" | "fixed" | "attributes" | "crossesVpcs" | "groupType">;

function clbRequest(settings: Settings): RequestOfType {
    const {
        masterZoneid,
        slaveZoneid,
        resourceGroupId,
        ip,
        name,
        instanceChargeType,
        spec,
        chargeType,
        bandwidth,
        deleteProtection,
        modificationProtection,
    } = settings;
    const internetChargeType =
        chargeType === undefined ? undefined : chargeType === "paybybandwidth" ? "PayByBandwidth" : "PayByTraffic";
    return {
        ipVersion: ipVersionOf(settings),
        fixed: defined({ masterZoneid, slaveZoneid, resourceGroupId, ip }),
        attributes: defined({
            name,
            instanceChargeType,
            spec,
            internetChargeType,
            bandwidth,
            deleteProtection,
            modificationProtection,
        }),
    };
}

function nlbRequest(settings: Settings, facts: ClusterFacts): RequestOfType {
    const {
        resourceGroupId,
        name,
        addressType,
        ipv6AddressType,
        crossZoneEnabled,
        bandwidthPackageId,
        deleteProtection,
        modificationProtection,
    } = settings;
    const securityGroupIds = settings.securityGroupIds && [...new Set(settings.securityGroupIds)].sort();
    const zoneMaps = settings.zoneMaps && [...settings.zoneMaps].sort((a, b) => (a.zoneId < b.zoneId ? -1 : 1));
    return {
        ...(settings.ipVersion === undefined
            ? {}
            : { ipVersion: settings.ipVersion === "DualStack" ? "DualStack" : "ipv4" }),
        fixed: defined({ resourceGroupId }),
        attributes: defined<ReusedAttributes>({
            name,
            addressType,
            zoneMaps,
            securityGroupIds,
            ipv6AddressType,
            bandwidthPackageId,
            crossZoneEnabled,
            deleteProtection,
            modificationProtection,
        }),
        crossesVpcs: isAtLeast(compatibilityOf(facts), CROSS_VPC_SINCE),
        groupType: settled(settings, "serverGroupType", "nlb"),
    };
}

/** What of a reuse cannot change: the instance, and the groups that are joined on it. */
export function reuseImmutableFields({ id, vgroupPort }: Settings): ImmutableFields {
    if (id === undefined) {
        return {};
    }
    return {
        id,
        ...defined({ vgroupPort: vgroupPort?.map(({ vgroupId, port }) => `${vgroupId}:${port}`).join(",") }),
    };
}

/** A Service, as far as its listeners and groups depend on it. */
type Listening = Pick<Service, "settings" | "ports"> & Partial<Pick<Service, "loadBalancerType">>;

function placeOf({ settings, loadBalancerType }: Listening, port: ServicePort): ListenerAddress {
    const protocol = listenerProtocolOf(port, settings);
    const ports = loadBalancerType === "nlb" ? portsOf(settings, port) : port.port;
    return typeof ports === "number" ? { protocol, port: ports } : { protocol, port: ports.from, endPort: ports.to };
}

/** The user-managed groups, by the ports of the listeners before them rather than by those of the Service. */
function joinedBy(service: Listening): Tenant["joinedGroups"] {
    return (service.settings.vgroupPort ?? []).map(({ vgroupId, port }) => {
        const own = service.ports.find((one) => one.port === port);
        return { vgroupId, port: own === undefined ? port : placeOf(service, own).port };
    });
}

/**
 * A Service among those that share an instance.
 *
 * @param instance what they have in common: the id of the instance, or the name that the program gave it.
 */
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
