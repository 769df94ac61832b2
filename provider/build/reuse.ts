import { backendTypeOf, ipVersionOf, listenerProtocolOf } from "../annotations";
import type { ClusterFacts } from "../model/facts";
import type { InstanceAttributes, ReuseWish, Tenant } from "../model/instance";
import type { Service } from "../model/service";

/** Whether the Service uses an instance that is there already. */
export function reuses({ settings }: Service): boolean {
    return settings.id !== undefined;
}

/** Whether the listeners are the Service's: always on an instance of its own, on a reused one only if it says so. */
export function managesListeners(service: Service): boolean {
    return !reuses(service) || service.settings.forceOverrideListeners === "true";
}

/**
 * What a Service wants of the instance that it names; undefined if it names none.
 *
 * @param boundTo addresses in the Service's status.
 */
export function buildReuse(service: Service, facts: ClusterFacts, boundTo: readonly string[]): ReuseWish | undefined {
    const { settings, namespace, name } = service;
    if (settings.id === undefined) {
        return undefined;
    }
    const fixed = { masterZoneid: settings.masterZoneid, slaveZoneid: settings.slaveZoneid, resourceGroupId: settings.resourceGroupId, ip: settings.ip };
    return {
        loadBalancerId: settings.id,
        namespace,
        name,
        clusterId: facts.clusterId,
        addressType: settings.addressType ?? "internet",
        ipVersion: ipVersionOf(settings),
        ...(facts.vpcId === undefined ? {} : { vpcId: facts.vpcId }),
        manageListeners: managesListeners(service),
        listeners: service.ports.map((port) => ({ protocol: listenerProtocolOf(port, settings), port: port.port })),
        joinedGroups: settings.vgroupPort ?? [],
        fixed: Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== undefined)),
        attributes: buildAttributes(service),
        additionalTags: settings.additionalResourceTags ?? {},
        attachesPods: backendTypeOf(settings, facts) === "eni",
        boundTo,
        denied: facts.deniedLoadBalancers ?? [],
    };
}

/**
 * A Service among those that share an instance.
 *
 * @param instance what they have in common: the id of the instance, or the name that the program gave it.
 */
export function tenantOf(service: Service, instance: string): Tenant {
    const { settings, namespace, name, ports } = service;
    return {
        service: `${namespace}/${name}`,
        instance,
        listeners: ports.map((port) => ({ protocol: listenerProtocolOf(port, settings), port: port.port })),
        manageListeners: managesListeners(service),
        joinedGroups: settings.vgroupPort ?? [],
    };
}

/** Nothing is filled in: an instance of somebody else keeps what the Service does not state. */
function buildAttributes({ settings }: Service): InstanceAttributes {
    const { name, instanceChargeType, spec, chargeType, bandwidth, deleteProtection, modificationProtection } = settings;
    const internetChargeType = chargeType === undefined ? undefined : chargeType === "paybybandwidth" ? "PayByBandwidth" : "PayByTraffic";
    const stated = { name, instanceChargeType, spec, internetChargeType, bandwidth, deleteProtection, modificationProtection };
    return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}
