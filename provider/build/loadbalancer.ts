import { chargeTypeDefault } from "../annotations";
import type { ClusterFacts } from "../model/facts";
import type { EstablishedFacts, LoadBalancer } from "../model/loadbalancer";
import type { Service } from "../model/service";

/** Bandwidth of a pay-by-bandwidth instance that gives none, Mbps. Source: "Configure CLB using annotations", pay-by-bandwidth instance. */
const DEFAULT_BANDWIDTH = 50;

/** Specification of a PayBySpec instance that gives none. Source: "Configure CLB using annotations", instance type. */
const DEFAULT_SPEC = "slb.s1.small";

/** The instance that a Service asks for. Every documented default is written out, so that removing an annotation goes back to it. */
export function buildLoadBalancer(service: Service, facts: ClusterFacts): LoadBalancer {
    const settings = service.settings;
    const addressType = settings.addressType ?? "internet";
    const instanceChargeType = settings.instanceChargeType ?? chargeTypeDefault(facts.compatibility);
    const byBandwidth = settings.chargeType === "paybybandwidth";
    return {
        ...(settings.name === undefined ? {} : { name: settings.name }),
        addressType,
        ...(addressType === "intranet" && settings.vswitchId !== undefined ? { vswitchId: settings.vswitchId } : {}),
        instanceChargeType,
        ...(instanceChargeType === "PayBySpec" ? { spec: settings.spec ?? DEFAULT_SPEC } : {}),
        ...(addressType === "internet" ? { internetChargeType: byBandwidth ? "PayByBandwidth" : "PayByTraffic" } : {}),
        ...(addressType === "internet" && byBandwidth ? { bandwidth: settings.bandwidth ?? DEFAULT_BANDWIDTH } : {}),
        deleteProtection: settings.deleteProtection ?? "on",
        modificationProtection: settings.modificationProtection ?? "ConsoleProtection",
        additionalTags: settings.additionalResourceTags ?? {},
    };
}

/**
 * The create-only settings of a Service, for the contract to compare with what was established.
 *
 * Only facts that the Service states or that have a documented default are listed: an unset one cannot conflict.
 */
export function createOnlyFacts(service: Service, facts: ClusterFacts): EstablishedFacts {
    const settings = service.settings;
    const optional: Record<string, string | undefined> = {
        addressType: settings.addressType ?? "internet",
        instanceChargeType: settings.instanceChargeType ?? chargeTypeDefault(facts.compatibility),
        vswitchId: settings.vswitchId,
        masterZoneid: settings.masterZoneid,
        slaveZoneid: settings.slaveZoneid,
        ip: settings.ip,
        ipVersion: settings.ipVersion ?? "ipv4",
        resourceGroupId: settings.resourceGroupId,
        id: settings.id,
        loadBalancerType: "clb",
        clusterId: facts.clusterId,
    };
    return Object.fromEntries(Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
